// Photographs every page at two widths in both themes into end2end/shots, to be looked at by a person.

import { chromium } from '@playwright/test';
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { baseURL, launchOptions } from './chromium.mjs';

const shots = fileURLToPath(new URL('shots/', import.meta.url));
const pages = {
  'start': '/',
  'start-malformed': '/?number=AT57194903',
  'start-slip': '/?number=GB123456789',
  'start-unsupported': '/?number=CHE-116.281.710%20MWST',
  'start-empty': '/?number=',
  'error-codes': '/docs/errors',
  'not-found': '/no-such-page',
};

mkdirSync(shots, { recursive: true });
const browser = await chromium.launch(launchOptions);
for (const colorScheme of ['light', 'dark']) {
  for (const width of [1280, 390]) {
    const context = await browser.newContext({ baseURL, colorScheme, viewport: { width, height: 900 } });
    const page = await context.newPage();
    for (const [name, address] of Object.entries(pages)) {
      await page.goto(address, { waitUntil: 'networkidle' });
      await page.screenshot({ path: `${shots}${name}-${width}-${colorScheme}.png`, fullPage: true });
    }
    await context.close();
  }
}
await browser.close();
