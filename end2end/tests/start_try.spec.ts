// A number of the sandbox is tried on the start page, with and without a script.

import { expect, test } from './fixtures';

test('a sample is answered on the page', async ({ page }) => {
  await page.goto('/');
  const slip = page.locator('#first-try');
  await expect(slip.locator('.vat-number')).toHaveText('NL999991000B01');

  await slip.getByRole('link', { name: 'A registry that is down' }).click();

  await expect(page).toHaveURL('/?try=FR20999993017#first-try');
  await expect(slip.locator('.status-tag')).toHaveText('Unavailable');
  await expect(slip).toContainText('France does not answer VIES');
  await expect(slip).toBeInViewport();
});

test('what is typed is answered, and stays answered when the script arrives', async ({ page }) => {
  await page.goto('/');
  const slip = page.locator('#first-try');
  await slip.getByRole('textbox', { name: 'Try it: ask the sandbox' }).fill('gb 999 9100 95');
  await slip.getByRole('button', { name: 'Check' }).click();

  await expect(page).toHaveURL(/\?try=gb\+999\+9100\+95#first-try$/);
  await page.waitForLoadState('networkidle');
  await expect(slip.locator('.vat-number')).toHaveText('GB999910095');
  await expect(slip).toContainText('Quillfeather Imaginary Goods Ltd');
  await slip.getByText('The same as a program gets it').click();
  await expect(slip.locator('pre')).toContainText('"businessName": "Quillfeather Imaginary Goods Ltd"');
});

test('somebody who tries too much is told when to go on', async ({ page }) => {
  for (let i = 0; i < 5; i += 1) await page.request.get('/?try=GB999910095');
  const response = await page.goto('/?try=GB999910095');

  expect(response!.status()).toBe(429);
  const field = page.getByRole('textbox', { name: 'Try it: ask the sandbox' });
  await expect(field).toHaveAccessibleDescription(/Try again in \d+ seconds/);
  await expect(field).toHaveValue('GB999910095');
});

test.use({ expectedInConsole: /the server responded with a status of 429/ });
