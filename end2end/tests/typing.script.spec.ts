// With a script the reading follows the field, without another page.

import { expect, holdScript, test } from './fixtures';
import { READINGS } from './readings';
import { StartPage } from './start_page';

for (const { submitted, plate, status, asked, said } of READINGS) {
  test(`typing ${submitted}`, async ({ page }) => {
    const start = new StartPage(page);
    await start.open();
    await start.hydrated();
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));

    await start.field.fill('');
    await start.field.pressSequentially(submitted);

    await expect(start.status).toHaveText(status);
    await expect(start.reading.getByRole('status')).toHaveText(said);
    await expect(start.fact('Would be asked')).toHaveText(asked);
    if (plate === null) {
      await expect(start.plate).toHaveCount(0);
    } else {
      await expect(start.plate).toHaveText(plate);
    }
    expect(requests).toEqual([]);
  });
}

test('what was typed before the script came is kept and read', async ({ page }) => {
  const release = await holdScript(page);
  const start = new StartPage(page);
  await page.goto('/', { waitUntil: 'commit' });
  await start.field.fill('GB123456782');
  await expect(start.plate).toHaveText('NL004495445B01');

  release();

  await expect(start.plate).toHaveText('GB123456782');
  await expect(start.field).toHaveValue('GB123456782');
});

test('a suggestion is taken without another page', async ({ page }) => {
  const start = new StartPage(page);
  await start.open();
  await start.hydrated();
  await page.evaluate(() => Object.assign(window, { samePage: true }));

  await start.field.fill('AT57194903');
  await start.fact('Noticed').getByRole('link').click();

  await expect(start.plate).toHaveText('ATU57194903');
  await expect(page).toHaveURL('/?number=ATU57194903#reading');
  expect(await page.evaluate(() => 'samePage' in window)).toBe(true);
});

test('the form puts the number into the address, and back restores the one before', async ({ page }) => {
  const start = new StartPage(page);
  await start.open('GB123456782');
  await start.hydrated();

  await start.field.fill('de 136 695 976');
  await start.field.press('Enter');
  await expect(page).toHaveURL('/?number=de%20136%20695%20976#reading');
  await page.goBack();

  await expect(start.field).toHaveValue('GB123456782');
  await expect(start.plate).toHaveText('GB123456782');
});

test('the same sample twice is the same sample', async ({ page }) => {
  const start = new StartPage(page);
  await start.open();
  await start.hydrated();
  const sample = page.locator('#reading .samples a').first();

  await sample.click();
  await expect(start.field).toHaveValue('GR094259216');
  await start.field.fill('something else');
  await sample.click();

  await expect(start.field).toHaveValue('GR094259216');
  await expect(start.plate).toHaveText('EL094259216');
});

test('a link within the page leaves the field alone', async ({ page }) => {
  const start = new StartPage(page);
  await start.open();
  await start.hydrated();
  await start.field.fill('GB123456782');

  await page.getByRole('link', { name: 'Skip to main content' }).focus();
  await page.keyboard.press('Enter');

  await expect(page).toHaveURL('/#main');
  await expect(start.field).toHaveValue('GB123456782');
  await expect(start.plate).toHaveText('GB123456782');
});
