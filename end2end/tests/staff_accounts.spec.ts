// Support answers a customer: finds the account, changes its plan, ends a key that has leaked, suspends and restores, and
// looks up what was done.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { checkUsableInBothThemes } from './accessible';
import { type Page, expect, test } from './fixtures';
import { Person, makeKey } from './portal';
import { Support } from './support';

// Chromium notes every page that is answered with 422: a form with something to change.
test.use({ expectedInConsole: /status of 422/ });

/** The status with which a key is answered. */
function answered(key: string): string {
  const command = ['--silent', '--output', '/dev/null', '--write-out', '%{http_code}'];
  const call = ['--header', `Authorization: Bearer ${key}`, '--json', '{"vatNumbers":["GB123456782"]}'];
  return execFileSync('curl', [...command, ...call, `${process.env.CROSSVAT_URL}/v1/verify-vat`], {
    encoding: 'utf8',
  });
}

/** Whether everybody can use the page. It is looked at with a script. */
async function check(page: Page, javaScriptEnabled = true) {
  if (javaScriptEnabled) await checkUsableInBothThemes(page);
}

test('support finds an account, changes it, and every deed is in the audit log', async ({ page, elsewhere, javaScriptEnabled }) => {
  const customer = new Person();
  const portal = await elsewhere();
  await customer.enter(portal);
  const leaked = await makeKey(portal, 'Checkout');
  const other = await makeKey(portal, 'ERP');
  await portal.context().close();
  expect(answered(leaked)).toBe('200');

  await new Support().enter(page);
  await page.goto('/staff/accounts');
  await page.getByLabel(/^Company, email address/).fill(customer.email);
  await page.getByRole('button', { name: 'Find' }).click();
  await expect(page.getByRole('row')).toHaveCount(2);
  await check(page, javaScriptEnabled);
  await page.getByRole('link', { name: customer.company }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(customer.company);
  await check(page, javaScriptEnabled);

  await page.getByRole('link', { name: 'Change plan or limits' }).click();
  await page.getByLabel('Requests a minute').fill('none');
  await page.getByLabel('Reason').fill('Agreed on the phone');
  await page.getByRole('button', { name: 'Keep the change' }).click();
  await expect(page).toHaveTitle(/^Error: /);
  await expect(page.getByLabel('Reason')).toHaveValue('Agreed on the phone');
  await check(page, javaScriptEnabled);
  await page.getByLabel('Requests a minute').fill('250');
  await page.getByRole('button', { name: 'Keep the change' }).click();
  await expect(page.getByRole('status')).toContainText('Plan and limits are changed.');
  await expect(page.getByText('250, agreed with this account')).toBeVisible();

  // A whole key that somebody has mailed: it is in no address.
  await page.goto('/staff/accounts');
  await page.getByLabel(/^Company, email address/).fill(leaked);
  await page.getByRole('button', { name: 'Find' }).click();
  await expect(page.getByRole('status')).toContainText('The key that was looked up is “Checkout”');
  expect(page.url()).not.toContain(leaked.slice(8, 20));
  expect(await page.content()).not.toContain(leaked.slice(8, 20));
  await page.getByRole('link', { name: /^Revoke Checkout/ }).click();
  await check(page, javaScriptEnabled);
  await page.getByLabel('Reason').fill('Found in a public repository');
  await page.getByLabel(/^Type the last four/).fill(leaked.slice(-4));
  await page.getByRole('button', { name: 'Revoke the key' }).click();
  await expect(page.getByRole('status')).toContainText('The key is revoked.');
  expect(answered(leaked)).toBe('401');
  expect(answered(other)).toBe('200');

  await page.getByRole('link', { name: 'Suspend the account' }).click();
  await check(page, javaScriptEnabled);
  await page.getByLabel('Reason').fill('Two keys leaked in a week');
  await page.getByLabel(/^Type the company/).fill('somebody');
  await page.getByRole('button', { name: 'Suspend the account' }).click();
  await expect(page.locator('.error-summary')).toBeFocused();
  await page.getByLabel(/^Type the company/).fill(customer.company);
  await page.getByRole('button', { name: 'Suspend the account' }).click();
  await expect(page.getByRole('status')).toContainText('The account is suspended.');
  expect(answered(other)).toBe('403');

  await page.getByRole('link', { name: 'Restore the account' }).click();
  await expect(page.getByText('Two keys leaked in a week')).toBeVisible();
  await check(page, javaScriptEnabled);
  await page.getByLabel('Reason').fill('They keep keys in a vault now');
  await page.getByRole('button', { name: 'Restore the account' }).click();
  await expect(page.getByRole('status')).toContainText('The account is restored.');
  expect(answered(other)).toBe('200');

  await page.getByRole('link', { name: /entries in the audit log/ }).click();
  await expect(page).toHaveURL(/\/staff\/audit\?account=/);
  await expect(page.getByRole('row', { name: /Account restored/ })).toHaveCount(1);
  await check(page, javaScriptEnabled);
  await page.getByLabel('What').selectOption('Account suspended');
  await page.getByRole('button', { name: 'Show' }).click();
  await expect(page.getByRole('row')).toHaveCount(2);
  await expect(page.getByRole('row').nth(1)).toContainText('Two keys leaked in a week');

  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download as CSV' }).click();
  const lines = readFileSync(await (await download).path(), 'utf8').trim().split('\r\n');
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain('Two keys leaked in a week');
});
