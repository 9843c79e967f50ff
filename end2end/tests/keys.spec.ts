// From nothing to a key that works, and to its end.

import { execFileSync } from 'node:child_process';
import { expect, takenOver, test } from './fixtures';
import { PASSWORD, Person } from './portal';

// Chromium notes every page that is answered with 422: a form with something to change.
test.use({ expectedInConsole: /status of 422/ });

test('a company signs up, makes a key, copies and uses it, sees it used, rotates it and revokes it', async ({ page, context, javaScriptEnabled }) => {
  const person = new Person();
  await person.enter(page);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Create your first key');

  await page.getByRole('link', { name: 'Create a test key' }).click();
  await page.getByLabel('Name').fill('Checkout');
  await page.getByLabel('Live').check();
  await page.getByRole('button', { name: 'Create the key' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your new key: Checkout');

  let command = await page.locator('#command').innerText();
  if (javaScriptEnabled !== false) {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await takenOver(page);
    await page.locator('[data-copies="command"]').click();
    await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toBe(command);
    command = copied;
  }
  const answer = JSON.parse(execFileSync('bash', ['-c', `${command} --silent`], { encoding: 'utf8' }));
  expect(answer.results[0].vatNumber).toBe('GB123456782');

  await page.getByLabel('I have put the key where I will find it again').check();
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('row', { name: /Checkout/ })).toContainText('Active');
  await expect(page.getByRole('row', { name: /Checkout/ })).not.toContainText('Never used');

  await page.getByRole('link', { name: 'Usage', exact: true }).click();
  await expect(page.getByRole('row', { name: /Checkout/ })).toContainText('1');
  await page.getByRole('link', { name: 'History', exact: true }).click();
  await expect(page.getByRole('row', { name: /123 4567 82|123456782/ })).toHaveCount(1);
  await page.getByRole('link', { name: 'Keys', exact: true }).click();

  await page.getByRole('link', { name: /^Rotate Checkout/ }).click();
  await page.getByRole('button', { name: 'Make the new key' }).click();
  await page.getByLabel('I have put the key where I will find it again').check();
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('row', { name: /Checkout/ }).filter({ hasText: 'Expiring' })).toHaveCount(1);

  await page.getByRole('link', { name: /^Revoke Checkout/ }).first().click();
  await page.getByLabel('Type the name of the key to revoke it').fill('Check');
  await page.getByRole('button', { name: 'Revoke the key' }).click();
  await expect(page).toHaveTitle(/^Error: /);
  await expect(page.locator('.error-summary')).toBeFocused();
  await page.getByLabel('Type the name of the key to revoke it').fill('Checkout');
  await page.getByRole('button', { name: 'Revoke the key' }).click();
  await expect(page.getByText('The key is revoked.')).toBeVisible();
  await expect(page.getByRole('row', { name: /Checkout/ }).filter({ hasText: 'Revoked' })).toHaveCount(1);
});

test('what was typed is kept when something needs changing', async ({ page }) => {
  await page.goto('/sign-up');
  await page.getByLabel('Your name').fill('Tomasz <b>Wilk</b>');
  await page.getByLabel('Work email address').fill('tomasz.wilk');
  await page.getByLabel('Password').fill('too short');
  await page.getByRole('button', { name: /Open an account|Ask for early access/ }).click();
  await expect(page).toHaveTitle(/^Error: /);
  await expect(page.getByRole('alert')).toContainText('Five things need changing');
  await expect(page.getByLabel('Your name')).toHaveValue('Tomasz <b>Wilk</b>');
  await expect(page.getByLabel('Work email address')).toHaveValue('tomasz.wilk');
  await expect(page.getByLabel('Password')).toHaveValue('');
});

test('a forgotten password is replaced by a link that works once', async ({ page }) => {
  const person = new Person();
  await person.enter(page);
  await page.goto('/forgot-password');
  await page.getByLabel('Work email address').fill(person.email);
  await page.getByRole('button', { name: 'Send the link' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Look into your mail');

  const link = await person.link('reset-password');
  await page.goto(link);
  await page.getByLabel('New password').fill(`${PASSWORD} again`);
  await page.getByRole('button', { name: 'Keep this password' }).click();
  await expect(page.getByText('Your password is kept.')).toBeVisible();

  await person.signIn(page);
  await expect(page.getByRole('alert')).toBeVisible();
  await person.signIn(page, `${PASSWORD} again`);
  await expect(page).toHaveURL('/portal');
});

test('who is not signed in comes back to the page after signing in', async ({ page }) => {
  const person = new Person();
  await person.enter(page);
  await page.locator('.person-menu summary').click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.goto('/portal/keys');
  await expect(page).toHaveURL(/\/sign-in\?return_to=/);
  await page.getByLabel('Work email address').fill(person.email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page).toHaveURL('/portal/keys');
});
