// A list of numbers, from pasting it to the proof of one of them.

import { readFileSync } from 'node:fs';
import { expect, test } from './fixtures';
import { Person, check, checkList, reloadUntil, reloadUntilDone } from './portal';

/** So many German numbers that nobody asked before; the simulator knows none of them. */
function numbers(count: number): string[] {
  const first = 100_000_000 + Math.floor(Math.random() * 800_000_000);
  return Array.from({ length: count }, (_, place) => `DE${first + place}`);
}

test('250 pasted numbers are checked, looked through, taken away and proved', async ({ page }) => {
  const person = new Person();
  await person.enter(page);
  await page.getByRole('link', { name: 'Check', exact: true }).click();
  // One known number, one that is none, and one twice.
  const pasted = ['DE136695976', 'DE 136 695 976', 'nonsense', ...numbers(248)];
  await expect(page).toHaveURL('/portal/check');
  await checkList(page, pasted.join('\n'));

  await reloadUntilDone(page);

  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download as CSV' }).click();
  const file = readFileSync((await (await download).path())!);
  expect([...file.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  expect(file.toString('utf8').trim().split('\r\n')).toHaveLength(1 + pasted.length);

  await page.getByLabel('Find a number or a name').fill('DE136695976');
  await page.getByLabel('Find a number or a name').press('Enter');
  await page.locator('a[href^="/portal/history/"]').first().click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('136695976');
  await expect(page.getByRole('main')).toContainText('VIES');

  await page.getByRole('link', { name: 'History', exact: true }).click();
  await page.getByLabel('Number, name or consultation number').fill('136 695 976');
  await page.getByLabel('Number, name or consultation number').press('Enter');
  await expect(page.getByRole('row')).toHaveCount(2);

  await page.getByRole('link', { name: 'Usage', exact: true }).click();
  await expect(page.getByRole('main')).toContainText('249');
});

test('a file is read before anything is asked', async ({ page }) => {
  const person = new Person();
  await person.enter(page);
  await page.goto('/portal/check');
  const rows = ['Country;VAT number;Customer', 'DE;136695976;Acme', 'DE;123;Bolt', 'IE;6388047V;Coil'];
  await page.getByLabel('Or a CSV file').setInputFiles({
    name: 'customers.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(rows.join('\r\n')),
  });
  await page.getByRole('button', { name: 'Read them first' }).click();
  await expect(page.getByRole('heading', { name: '3 numbers: 2 can be asked, 1 needs you' })).toBeVisible();
  await expect(page.getByRole('main')).toContainText('Line 3');

  await check(page);
  await expect(page.getByRole('row', { name: /DE123/ })).toContainText('Malformed');
});

test('a registry that is away leaves numbers unavailable, and they alone are asked again', async ({ page, request }) => {
  const simulator = process.env.CROSSVAT_SIMULATOR!;
  const person = new Person();
  await person.enter(page);
  const malta = `MT${10_000_000 + Math.floor(Math.random() * 80_000_000)}`;
  const row = page.getByRole('row', { name: new RegExp(malta.slice(2)) });
  await request.put(`${simulator}/control/vies/MT`, { data: { condition: 'down' } });
  try {
    await checkList(page, `DE136695976\n${malta}`);
    await reloadUntil(page, () => expect(row).toContainText('Unavailable', { timeout: 500 }));
  } finally {
    await request.put(`${simulator}/control/vies/MT`, { data: { condition: 'up' } });
  }
  await page.getByRole('button', { name: /^Ask again about/ }).click();
  await reloadUntil(page, () => expect(row).toContainText('Not registered', { timeout: 500 }));
});
