// axe on the pages of members and the ways in, in both themes, wide and narrow: nothing is reported, nothing runs over.

import { checkUsable, inBothThemes } from './accessible';
import { expect, test } from './fixtures';
import { Person, runList } from './portal';

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
  await new Person().enter(page);
  const run = await runList(page, 'DE136695976\nnonsense\nGB980780684');
  const evidence = await page.locator('a[href^="/portal/history/"]').first().getAttribute('href');
  await page.goto('/portal/keys/new');
  await page.getByLabel('Name').fill('Checkout');
  await page.getByRole('button', { name: 'Create the key' }).click();
  await checkUsable(page, 'a new key');
  await page.getByLabel('I have put the key where I will find it again').check();
  await page.getByRole('button', { name: 'Done' }).click();
  const linksOfKey = page.getByRole('row', { name: /Checkout/ }).getByRole('link');
  await expect(linksOfKey).toHaveCount(3);
  const ofKey = await linksOfKey.evaluateAll((all) => all.map((link) => link.getAttribute('href')!));
  await page.goto('/portal/settings/members');
  const ofMember = (await page.locator('a[href^="/portal/settings/members/"]').first().getAttribute('href'))!;
  const more = [run, evidence!, ...ofKey, ofMember, `${ofMember}/remove`, '/portal/check?examples=1'];

  await inBothThemes(page, async (theme) => {
    for (const address of [...PAGES, ...more]) {
      await page.goto(address);
      await checkUsable(page, `${address}, ${theme}`);
    }
  });
});

test('the ways in can be used by everybody', async ({ page }) => {
  for (const address of ['/sign-in', '/sign-up', '/forgot-password', '/claim/nothing']) {
    await page.goto(address);
    await checkUsable(page);
  }
});
