// Both ways to the first key: a company asks and support approves, or support issues one by phone. Each goes on to the first
// call that is answered. The server of these tests lets nobody make keys before that.

import { execFileSync } from 'node:child_process';
import { checkUsableInBothThemes } from './accessible';
import { type Page, expect, test } from './fixtures';
import { PASSWORD, Person } from './portal';
import { Support } from './support';

// Chromium notes every page that is answered with 422, a form with something to change, or 404, a link that is over.
test.use({ baseURL: process.env.CROSSVAT_EARLY_ACCESS_URL, expectedInConsole: /status of (404|422)/ });

/** What the command on the page is answered. */
async function firstCall(page: Page) {
  const command = await page.locator('#command').innerText();
  return JSON.parse(execFileSync('bash', ['-c', `${command} --silent`], { encoding: 'utf8' }));
}

/** Whether everybody can use the page. It is looked at with a script. */
async function check(page: Page, javaScriptEnabled = true) {
  if (javaScriptEnabled) await checkUsableInBothThemes(page);
}

test('a company asks, support approves, and the company takes its key', async ({ page, elsewhere, javaScriptEnabled }) => {
  const person = new Person();
  await page.goto('/sign-up');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Ask for early access');
  await check(page, javaScriptEnabled);
  await page.getByLabel('Its own VAT number (optional)').fill('136695976');
  await person.fillSignUp(page);
  await page.getByRole('button', { name: 'Ask for early access' }).click();
  await expect(page).toHaveTitle(/^Error: /);
  await expect(page.getByRole('alert')).toContainText('Begin with the country');
  await page.getByLabel('Its own VAT number (optional)').fill('DE136695976');
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Ask for early access' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Confirm your address');
  await person.confirm(page);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your request is with support');
  await check(page, javaScriptEnabled);
  await page.goto('/portal/keys');
  await expect(page.getByRole('heading', { level: 2 })).toHaveText('Keys come with your approval');
  await check(page, javaScriptEnabled);
  await page.getByRole('link', { name: 'See the request' }).click();
  await expect(page.getByText('Customers’ numbers at checkout')).toBeVisible();
  await check(page, javaScriptEnabled);

  const support = await elsewhere();
  await new Support().enter(support);
  await support.goto('/staff');
  const card = support.getByRole('article', { name: person.company });
  await expect(card).toContainText('Address confirmed');
  await expect(card).toContainText('Valid');
  await check(support, javaScriptEnabled);
  await card.getByRole('link', { name: `Other limits for ${person.company}` }).click();
  await check(support, javaScriptEnabled);
  await support.getByText('Other limits than the plan’s').click();
  await support.getByLabel('Requests a minute').fill('none');
  await support.getByRole('button', { name: 'Approve' }).click();
  await expect(support).toHaveTitle(/^Error: /);
  await support.getByLabel('Requests a minute').fill('250');
  await support.getByRole('button', { name: 'Approve' }).click();
  await expect(support.getByRole('status')).toContainText(`${person.company} is approved.`);

  const claim = await person.link('key-request-approved');
  await page.locator('.person-menu summary').click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.goto(claim);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sign in, then take your key');
  await check(page, javaScriptEnabled);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByLabel('Work email address').fill(person.email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Take your key');
  await page.getByRole('button', { name: 'Show the key' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your new key: First key');
  expect((await firstCall(page)).results[0].vatNumber).toBe('GB123456782');
  await page.getByLabel('I have put the key where I will find it again').check();
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('row', { name: /First key/ })).toContainText('Active');
  await page.goto(claim);
  await expect(page.getByText('The key was taken with it already')).toBeVisible();
  await check(page, javaScriptEnabled);
  await support.context().close();
});

test('support issues a key by phone, and the contact takes it', async ({ page, elsewhere, javaScriptEnabled }) => {
  const contact = new Person();
  const support = await elsewhere();
  await new Support().enter(support);
  await support.goto('/staff');
  await support.getByRole('link', { name: 'Issue a key by phone' }).click();
  await support.getByLabel('Company').fill(contact.company);
  await support.getByLabel('Contact’s name').fill(contact.name);
  await support.getByLabel('Contact’s work email address').fill('not an address');
  await support.getByLabel('Name', { exact: true }).fill('ERP, Leeds');
  await support.getByLabel('Live').check();
  await support.getByRole('button', { name: 'Send the claim link' }).click();
  await expect(support).toHaveTitle(/^Error: /);
  await expect(support.locator('.error-summary')).toBeFocused();
  await expect(support.getByLabel('Company')).toHaveValue(contact.company);
  await support.getByLabel('Contact’s work email address').fill(contact.email);
  await support.getByRole('button', { name: 'Send the claim link' }).click();
  await expect(support.getByRole('status')).toContainText('The link is on its way.');
  const row = support.getByRole('row', { name: new RegExp(contact.email) });
  await expect(row).toContainText('Link sent');
  await check(support, javaScriptEnabled);

  await page.goto(await contact.link('claim-key'));
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Set a password, then take your key');
  await expect(page.getByLabel('Email address')).toHaveValue(contact.email);
  await check(page, javaScriptEnabled);
  await support.reload();
  await expect(row).toContainText('Link opened');
  await page.getByLabel('New password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Set password and show the key' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your new key: ERP, Leeds');
  await check(page, javaScriptEnabled);
  expect((await firstCall(page)).results[0].vatNumber).toBe('GB123456782');
  await support.reload();
  await expect(row).toContainText('Claimed');
  await page.getByLabel('I have put the key where I will find it again').check();
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('row', { name: /ERP, Leeds/ })).toContainText('Active');
  await support.context().close();
});
