// axe on the pages of the support staff and of the second factor, in both themes, wide and narrow: nothing is reported, nothing
// runs over.

import { checkUsableInBothThemes } from './accessible';
import { expect, test } from './fixtures';
import { Person } from './portal';
import { Support } from './support';

// Chromium notes the page of a link that is over, which is answered with 404.
test.use({ expectedInConsole: /status of 404/ });

test('support’s pages can be used by everybody', async ({ page }) => {
  const sam = new Support();
  sam.create();
  await page.goto('/staff/sign-in');
  await checkUsableInBothThemes(page);
  await sam.typePassword(page);
  await checkUsableInBothThemes(page);
  await sam.setUp(page);
  await checkUsableInBothThemes(page);
  await page.goto('/staff/team');
  await page.getByLabel('Work email address').fill(new Support().email);
  await page.getByLabel('Name', { exact: true }).fill('Kim Lund');
  await page.getByRole('button', { name: 'Send the invitation' }).click();
  await checkUsableInBothThemes(page);
  const invited = page.getByRole('row', { name: /Kim Lund/ }).filter({ hasText: 'Invited' }).first();
  await invited.getByRole('link', { name: 'Change Kim Lund' }).click();
  await checkUsableInBothThemes(page);
  await page.getByRole('link', { name: 'End the access of Kim Lund' }).click();
  await checkUsableInBothThemes(page);
  for (const address of ['/staff/security', '/staff/join/nothing']) {
    await page.goto(address);
    await checkUsableInBothThemes(page);
  }
  await page.goto('/staff/team');
  await page.locator('.person-menu summary').click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await sam.typePassword(page);
  await expect(page).toHaveURL('/staff/sign-in/code');
  await checkUsableInBothThemes(page);
});

test('a member’s second factor can be set up by everybody', async ({ page }) => {
  await new Person().enter(page);
  await page.goto('/portal/settings/second-factor');
  await checkUsableInBothThemes(page);
  await new Support().setUp(page);
  await checkUsableInBothThemes(page);
  await page.goto('/portal/settings');
  await checkUsableInBothThemes(page);
});
