// A session that ends while somebody types costs a sign-in and nothing of what was typed.

import type { Page } from '@playwright/test';
import { expect, test } from './fixtures';
import { PASSWORD, Person } from './portal';

const TOLD = 'You had been signed out, so nothing was sent.';

/** Signs in where one was led to. */
async function signInAgain(page: Page, person: Person) {
  await expect(page).toHaveURL(/\/sign-in\?return_to=/);
  await expect(page.getByRole('main')).toContainText('what you typed is kept for an hour');
  await page.getByLabel('Work email address').fill(person.email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

test('a key that was to be made when the session had ended is made after signing in', async ({ page, context }) => {
  const person = new Person();
  await person.enter(page);
  await page.goto('/portal/keys/new');
  await page.getByLabel('Name').fill('Checkout <b>& "more"</b>');
  await page.getByLabel('Live').check();
  await page.getByLabel('Expires on').fill('2030-03-02');
  await context.clearCookies({ name: '__Host-session' });
  await page.getByRole('button', { name: 'Create the key' }).click();

  await signInAgain(page, person);
  await expect(page).toHaveURL(/\/portal\/keys\/new\?unsent=/);
  await expect(page.getByRole('main')).toContainText(TOLD);
  await expect(page.getByLabel('Name')).toHaveValue('Checkout <b>& "more"</b>');
  await expect(page.getByLabel('Live')).toBeChecked();
  await expect(page.getByLabel('Expires on')).toHaveValue('2030-03-02');
  await page.getByRole('button', { name: 'Create the key' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your new key: Checkout <b>& "more"</b>');
});

test('a list that was pasted when the session had ended is still there', async ({ page, context }) => {
  const person = new Person();
  await person.enter(page);
  await page.goto('/portal/check');
  const pasted = Array.from({ length: 40 }, (_, place) => `DE${200_000_000 + place}`).join('\n');
  await page.getByLabel('VAT numbers').fill(pasted);
  await context.clearCookies({ name: '__Host-session' });
  await page.getByRole('button', { name: /^Check/ }).click();

  await signInAgain(page, person);
  await expect(page.getByRole('main')).toContainText(TOLD);
  await expect(page.getByLabel('VAT numbers')).toHaveValue(pasted);
  await page.goto('/portal/check');
  await expect(page.getByLabel('VAT numbers')).toHaveValue('');
  await expect(page.getByRole('heading', { name: 'Earlier runs' })).toHaveCount(0);
});
