// axe on the pages of the support staff and of the second factor, in both themes, wide and narrow: nothing is reported, nothing
// runs over.

import AxeBuilder from '@axe-core/playwright';
import { type Page } from '@playwright/test';
import { expect, test } from './fixtures';
import { Person } from './portal';
import { Support } from './support';

// Chromium notes the page of a link that is over, which is answered with 404.
test.use({ expectedInConsole: /status of 404/ });

async function look(page: Page) {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(violations, `${page.url()} ${colorScheme}`).toEqual([]);
    // A telephone makes its window wider for what runs over, so the screen is the measure.
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width, page.url()).toBeLessThanOrEqual(page.viewportSize()!.width);
  }
}

test('support’s pages can be used by everybody', async ({ page }) => {
  test.setTimeout(120_000);
  const sam = new Support();
  sam.create();
  await page.goto('/staff/sign-in');
  await look(page);
  await sam.typePassword(page);
  await look(page);
  await sam.setUp(page);
  await look(page);
  await page.goto('/staff/team');
  await page.getByLabel('Work email address').fill(new Support().email);
  await page.getByLabel('Name', { exact: true }).fill('Kim Lund');
  await page.getByRole('button', { name: 'Send the invitation' }).click();
  await look(page);
  const invited = page.getByRole('row', { name: /Kim Lund/ }).filter({ hasText: 'Invited' }).first();
  await invited.getByRole('link', { name: 'Change Kim Lund' }).click();
  await look(page);
  await page.getByRole('link', { name: 'End the access of Kim Lund' }).click();
  await look(page);
  for (const address of ['/staff/security', '/staff/join/nothing']) {
    await page.goto(address);
    await look(page);
  }
  await page.goto('/staff/team');
  await page.locator('.person-menu summary').click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await sam.typePassword(page);
  await expect(page).toHaveURL('/staff/sign-in/code');
  await look(page);
});

test('a member’s second factor can be set up by everybody', async ({ page }) => {
  test.setTimeout(60_000);
  await new Person().enter(page);
  await page.goto('/portal/settings/second-factor');
  await look(page);
  await new Support().setUp(page);
  await look(page);
  await page.goto('/portal/settings');
  await look(page);
});
