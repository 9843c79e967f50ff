// A number in the address is read by the server: the same with and without a script.

import { expect, test } from './fixtures';
import { READINGS } from './readings';
import { StartPage } from './start_page';

for (const { submitted, plate, status, asked, said } of READINGS) {
  test(`the address names ${submitted}`, async ({ page }) => {
    const start = new StartPage(page);
    await start.open(submitted);

    await expect(start.field).toHaveValue(submitted);
    await expect(start.status).toHaveText(status);
    await expect(start.reading.getByRole('status')).toHaveText(said);
    await expect(start.fact('Would be asked')).toHaveText(asked);
    if (plate === null) {
      await expect(start.plate).toHaveCount(0);
    } else {
      await expect(start.plate).toHaveText(plate);
    }
  });
}

test('it is plain that no registry is asked', async ({ page }) => {
  const start = new StartPage(page);
  await start.open();

  await expect(start.field).toHaveAccessibleDescription(/A reading, not an answer: no registry is asked/);
  await expect(start.status).toHaveText('Not asked');
});

test('an empty field says what to type', async ({ page }) => {
  const start = new StartPage(page);
  await start.open('');

  await expect(start.field).toHaveValue('');
  await expect(start.reading.getByRole('status')).toHaveText(/Nothing to read yet/);
  await expect(start.status).toHaveCount(0);
});

test('check digits that do not fit are advice', async ({ page }) => {
  const start = new StartPage(page);
  await start.open('GB123456789');

  await expect(start.fact('Check digits')).toHaveText(/not fit.*only HMRC can decide/);
});

test('a repair is told', async ({ page }) => {
  const start = new StartPage(page);
  await start.open('GR094259216');

  await expect(start.fact('Noticed')).toHaveText(/EL/);
});

test('a suggestion leads to the number it names', async ({ page }) => {
  const start = new StartPage(page);
  await start.open('AT57194903');
  await start.fact('Noticed').getByRole('link').click();

  await expect(page).toHaveURL('/?number=ATU57194903#reading');
  await expect(start.field).toHaveValue('ATU57194903');
  await expect(start.plate).toHaveText('ATU57194903');
});

test('every sample can be looked at', async ({ page }) => {
  const start = new StartPage(page);
  await start.open();
  const samples = page.locator('#reading .samples a');
  const count = await samples.count();
  expect(count).toBeGreaterThan(3);

  for (let i = 0; i < count; i += 1) {
    const sample = new URL((await samples.nth(i).getAttribute('href'))!, page.url()).searchParams.get('number')!;
    await samples.nth(i).click();
    await expect(start.field).toHaveValue(sample);
    await expect(start.status).toBeVisible();
  }
});

test('a text is shown, never run', async ({ page }) => {
  const start = new StartPage(page);
  const submitted = '<img src=x onerror=alert(1)>"\'&';
  await start.open(submitted);

  await expect(start.field).toHaveValue(submitted);
  await expect(start.status).toHaveText('Malformed');
  await expect(page.locator('main img')).toHaveCount(0);
});
