import { defineConfig } from '@playwright/test';
import { baseURL, launchOptions } from './chromium.mjs';

const desktop = { width: 1280, height: 900 };

export default defineConfig({
  testDir: 'tests',
  workers: 1,
  retries: 0,
  forbidOnly: true,
  // Against hanging. How long something takes is no assertion, and a machine may do other things meanwhile.
  timeout: 600_000,
  expect: { timeout: 20_000, toPass: { timeout: 120_000 } },
  reporter: 'list',
  use: { baseURL, launchOptions, locale: 'en-GB', trace: 'retain-on-failure' },
  projects: [
    { name: 'hydrated', testIgnore: '**/*.no-script.spec.ts', use: { viewport: desktop } },
    {
      name: 'no-javascript',
      testIgnore: '**/*.script.spec.ts',
      use: { viewport: desktop, javaScriptEnabled: false },
    },
    {
      name: 'mobile',
      testIgnore: '**/*.no-script.spec.ts',
      use: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 },
    },
  ],
});
