// Members' pages are light, stand still while the script arrives, and follow ten thousand rows without holding anybody up.

import type { Page } from '@playwright/test';
import { expect, shifts, takenOver, test, watchShifts } from './fixtures';
import { Person, runList } from './portal';

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
  await new Person().enter(page);
  const run = await runList(page, 'DE136695976\nnonsense');
  const evidence = (await page.locator('a[href^="/portal/history/"]').first().getAttribute('href'))!;
  await watchShifts(page);
  for (const address of [...PAGES, run, evidence]) {
    await page.goto(address);
    await page.waitForLoadState('networkidle');
    await takenOver(page);
    expect(await shifts(page), address).toEqual([]);
  }
});

/** The longest tasks, in milliseconds. */
type Longest = { pasting: number; typing: number };

/** Pastes the rows into the field that has the focus, then types one more. */
async function pasteAndType(page: Page, shown: (rows: string) => Promise<void>): Promise<Longest> {
  await page.evaluate(() => {
    const tasks: PerformanceEntry[] = [];
    const observer = new PerformanceObserver((list) => tasks.push(...list.getEntries()));
    observer.observe({ type: 'longtask' });
    Object.assign(window, { observer, tasks });
  });
  const longest = () =>
    page.evaluate(() => {
      const { observer, tasks } = window as unknown as { observer: PerformanceObserver; tasks: PerformanceEntry[] };
      // Those too that it has not been told of yet.
      return Math.max(0, ...[...tasks.splice(0), ...observer.takeRecords()].map((task) => task.duration));
    });
  await page.keyboard.press('Control+V');
  await shown('9,999');
  const pasting = await longest();
  await page.keyboard.press('Control+End');
  await longest();
  await page.keyboard.type('\nFR40303265045', { delay: 30 });
  await shown('10,000');
  return { pasting, typing: await longest() };
}

/** What Chromium needs alone for so long a text. */
async function alone(page: Page): Promise<Longest> {
  await page.goto('/portal/check');
  await takenOver(page);
  await page.evaluate(() => {
    const field = document.querySelector('textarea')!.cloneNode() as HTMLTextAreaElement;
    field.id = 'alone';
    document.querySelector('main')!.prepend(field);
    field.focus();
  });
  return pasteAndType(page, () => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))));
}

/** What it needs with the page that reads it. */
async function read(page: Page): Promise<Longest> {
  await page.goto('/portal/check');
  await takenOver(page);
  await page.getByLabel('VAT numbers').focus();
  return pasteAndType(page, (rows) => expect(page.locator('#readings-head')).toContainText(`${rows} numbers`));
}

test('ten thousand pasted rows are read without holding up who types', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await new Person().enter(page);
  const rows = Array.from({ length: 9_999 }, (_, place) => (place % 50 === 7 ? `AT${place}` : `DE ${100_000_000 + place * 7}`));
  await page.evaluate((text) => navigator.clipboard.writeText(text), rows.join('\n'));

  // In turns, and the least of each counts: whatever else the machine does only adds.
  const [theirs, ours]: [Longest[], Longest[]] = [[], []];
  for (let round = 0; round < 3; round += 1) {
    theirs.push(await alone(page));
    ours.push(await read(page));
  }
  const least = (of: Longest[], what: keyof Longest) => Math.min(...of.map((one) => one[what]));

  // Laying out so long a text is the browser's own work and by far the most of it, at a key press too; reading is cut into
  // slices, so that none of its tasks is as long.
  const most = 2 * Math.max(250, least(theirs, 'pasting'));
  expect(least(ours, 'pasting')).toBeLessThan(most);
  expect(least(ours, 'typing')).toBeLessThan(most);
});
