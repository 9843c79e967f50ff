// On paper a page is its matter: light, no navigation, nothing to press, nothing cut off.

import type { Page } from '@playwright/test';
import { expect, test } from './fixtures';
import { Person, makeKey, runList } from './portal';

/** What A4 leaves between its margins, in pixels of CSS: 210 less 40 mm. */
const PAPER = { width: 642, height: 986 };

test.skip(({ isMobile }) => isMobile, 'paper is paper');

async function printsWell(page: Page, address: string) {
  await page.emulateMedia({ media: null });
  await page.goto(address);
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await page.setViewportSize(PAPER);
  const shown = page.locator('header.site-header, footer.site-footer, nav, .button, .skip-link, .pager, .filter-bar, summary').filter({ visible: true });
  expect(await shown.evaluateAll((all) => all.map((one) => one.outerHTML.slice(0, 80))), address).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth), `${address} is cut`).toBeLessThanOrEqual(PAPER.width);
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme), address).toBe('light');
}

test('public pages print as their matter', async ({ page }) => {
  for (const address of ['/', '/docs', '/docs/quickstart', '/docs/reverse-charge', '/docs/errors', '/docs/reference', '/status']) {
    await printsWell(page, address);
  }
});

test('members’ pages print as their matter', async ({ page }) => {
  await new Person().enter(page);
  await makeKey(page, 'Checkout'.repeat(7));
  await page.getByLabel('I have put the key where I will find it again').check();
  await page.getByRole('button', { name: 'Done' }).click();
  const run = await runList(page, `DE136695976\n${'x'.repeat(60)}\nGB980780684`);
  for (const address of ['/portal', run, '/portal/keys', '/portal/history', '/portal/usage', '/portal/settings']) {
    await printsWell(page, address);
  }
});
