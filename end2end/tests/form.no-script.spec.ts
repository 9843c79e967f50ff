// Without a script the form is sent and the server reads.

import { expect, test } from './fixtures';
import { READINGS } from './readings';
import { StartPage } from './start_page';

for (const { submitted, plate, status, said } of READINGS) {
  test(`sending ${submitted}`, async ({ page }) => {
    const start = new StartPage(page);
    await start.open();
    await start.field.fill(submitted);
    await page.getByRole('button', { name: 'Read it' }).click();

    expect(new URL(page.url()).searchParams.get('number')).toBe(submitted);
    await expect(start.field).toHaveValue(submitted);
    await expect(start.status).toHaveText(status);
    await expect(start.reading.getByRole('status')).toHaveText(said);
    if (plate !== null) {
      await expect(start.plate).toHaveText(plate);
    }
  });
}

test('what needs a script is not shown', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByRole('button', { name: 'Copy' })).toBeHidden();
});
