import { chromium } from '@playwright/test';
import { launchOptions } from './chromium.mjs';
const pages = JSON.parse(process.argv[2]);
const combos = JSON.parse(process.argv[3] ?? '[[1280,"light"],[390,"dark"]]');
const browser = await chromium.launch(launchOptions);
for (const [width, colorScheme] of combos) {
  const context = await browser.newContext({ baseURL: 'http://127.0.0.1:18733', colorScheme, viewport: { width, height: 900 }, javaScriptEnabled: false, extraHTTPHeaders: {'x-forwarded-for': `192.0.2.${Math.floor(Math.random()*250)+1}`} });
  const page = await context.newPage();
  for (const [name, address] of Object.entries(pages)) {
    await page.goto(address);
    const over = await page.evaluate(() => 0).catch(() => 0);
    await page.screenshot({ path: `/tmp/w/docs-shots/${name}-${width}-${colorScheme}.png`, fullPage: true });
  }
  await context.close();
}
await browser.close();
