// An address without a page says so, with the status that goes with it.

import { expect, test } from './fixtures';

test.use({ expectedInConsole: /the server responded with a status of 404/ });

test('an unknown address', async ({ page }) => {
  const response = await page.goto('/no-such-page', { waitUntil: 'networkidle' });

  expect(response!.status()).toBe(404);
  await expect(page).toHaveTitle('Page not found – Crossvat');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('There is no page at this address');

  await page.getByRole('main').getByRole('link', { name: 'Start page' }).click();
  await expect(page).toHaveURL('/');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/Checked at the registry/);
  await expect(page).toHaveTitle(/^Crossvat: UK and EU VAT numbers/);
});
