// axe on the pages of members and the ways in, in both themes, wide and narrow: nothing is reported, nothing runs over.

import AxeBuilder from '@axe-core/playwright';
import { expect, test } from './fixtures';
import { Person } from './portal';

// Chromium notes the page of a link that is over, which is answered with 404.
test.use({ expectedInConsole: /status of 404/ });

const PAGES = [
  '/portal',
  '/portal/keys',
  '/portal/keys/new',
  '/portal/check',
  '/portal/history',
  '/portal/usage',
  '/portal/settings',
  '/portal/settings/members',
];

test('members’ pages can be used by everybody', async ({ page }) => {
  test.setTimeout(120_000);
  await new Person().enter(page);
  await page.goto('/portal/check');
  await page.getByLabel('VAT numbers').fill('DE136695976\nnonsense\nGB980780684');
  await page.getByRole('button', { name: /^Check (the|[0-9])/ }).click();
  await expect(page).toHaveURL(/\/portal\/check\/[0-9a-f-]{36}/);
  await expect(async () => {
    await page.reload();
    await expect(page.locator('#progress')).toContainText('Done', { timeout: 500 });
  }).toPass({ timeout: 20_000 });
  const run = new URL(page.url()).pathname;
  const evidence = await page.locator('a[href^="/portal/history/"]').first().getAttribute('href');

  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const address of [...PAGES, run, evidence!]) {
      await page.goto(address);
      await page.locator('details').evaluateAll((all) => all.forEach((one) => one.setAttribute('open', '')));
      const { violations } = await new AxeBuilder({ page }).analyze();
      expect(violations, `${address} ${colorScheme}`).toEqual([]);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect(overflow, address).toBeLessThanOrEqual(0);
    }
  }
});

test('the ways in can be used by everybody', async ({ page }) => {
  for (const address of ['/sign-in', '/sign-up', '/forgot-password', '/claim/nothing']) {
    await page.goto(address);
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(violations, address).toEqual([]);
  }
});
