// Members' pages are light, stand still while the script arrives, and follow ten thousand rows without holding anybody up.

import type { Page } from '@playwright/test';
import { expect, shifts, takenOver, test, watchShifts } from './fixtures';
import { Person, reloadUntilDone } from './portal';

const PAGES = [
  '/portal',
  '/portal/keys',
  '/portal/keys/new',
  '/portal/check',
  '/portal/check?examples=1',
  '/portal/history',
  '/portal/usage',
  '/portal/settings',
  '/portal/settings/members',
];

test('the first page of the portal costs less than 400 kB with everything', async ({ page, context }) => {
  await new Person().enter(page);
  const browser = await context.newCDPSession(page);
  await browser.send('Network.enable');
  await browser.send('Network.setCacheDisabled', { cacheDisabled: true });
  const sizes = new Map<string, number>();
  browser.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => sizes.set(requestId, encodedDataLength));
  await page.goto('/portal', { waitUntil: 'networkidle' });

  // The page, the style sheet, the script and the WebAssembly.
  expect(sizes.size).toBeGreaterThanOrEqual(4);
  const all = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  expect(all).toBeGreaterThan(100_000);
  expect(all).toBeLessThan(400_000);
});

test('no members’ page moves when the script arrives', async ({ page }) => {
  test.setTimeout(60_000);
  await new Person().enter(page);
  await page.goto('/portal/check');
  await page.getByLabel('VAT numbers').fill('DE136695976\nnonsense');
  await page.getByRole('button', { name: /^Check/ }).click();
  await reloadUntilDone(page);
  const run = new URL(page.url()).pathname;
  const evidence = (await page.locator('a[href^="/portal/history/"]').first().getAttribute('href'))!;
  await watchShifts(page);
  for (const address of [...PAGES, run, evidence]) {
    await page.goto(address);
    await page.waitForLoadState('networkidle');
    await takenOver(page);
    expect(await shifts(page), address).toEqual([]);
  }
});

/** Pastes the rows into the field that has the focus, then types one more. What the longest tasks took, in milliseconds. */
async function pasteAndType(page: Page, until: (rows: string) => Promise<void>) {
  await page.evaluate(() => {
    const tasks: number[] = [];
    Object.assign(window, { tasks });
    new PerformanceObserver((list) => tasks.push(...list.getEntries().map((entry) => entry.duration))).observe({ type: 'longtask' });
  });
  const longest = () => page.evaluate(() => Math.max(0, ...(window as unknown as { tasks: number[] }).tasks.splice(0)));
  await page.keyboard.press('Control+V');
  await until('9,999');
  const pasting = await longest();
  await page.keyboard.press('Control+End');
  await longest();
  await page.keyboard.type('\nFR40303265045', { delay: 30 });
  await until('10,000');
  return { pasting, typing: await longest() };
}

test('ten thousand pasted rows are read without holding up who types', async ({ page, context }) => {
  test.setTimeout(60_000);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await new Person().enter(page);
  const rows = Array.from({ length: 9_999 }, (_, place) => (place % 50 === 7 ? `AT${place}` : `DE ${100_000_000 + place * 7}`));

  // What Chromium needs alone for so long a text, on this machine and now.
  await page.goto('/portal/check', { waitUntil: 'networkidle' });
  await page.evaluate((text) => navigator.clipboard.writeText(text), rows.join('\n'));
  await page.evaluate(() => {
    const field = document.querySelector('textarea')!.cloneNode() as HTMLTextAreaElement;
    field.id = 'alone';
    document.querySelector('main')!.prepend(field);
    field.focus();
  });
  const alone = await pasteAndType(page, async () => void (await page.waitForTimeout(1_000)));

  await page.goto('/portal/check', { waitUntil: 'networkidle' });
  const head = page.locator('#readings-head');
  await page.getByLabel('VAT numbers').focus();
  const read = await pasteAndType(page, async (rows) => void (await expect(head).toContainText(`${rows} numbers`, { timeout: 20_000 })));

  // Laying out so long a text is the browser's own work and by far the most of it, at a key press too; reading is cut into
  // slices, so that none of its tasks is as long. Twice that leaves room for a machine that does other things meanwhile.
  const most = 2 * Math.max(250, alone.pasting);
  expect(read.pasting).toBeLessThan(most);
  expect(read.typing).toBeLessThan(most);
});
