// With a script, times are said in the reader's zone, before anything is painted.

import type { Page } from '@playwright/test';
import { expect, shifts, takenOver, test, watchShifts } from './fixtures';
import { Person, checkList, runList } from './portal';

const ZONE = 'America/St_Johns';
test.use({ timezoneId: ZONE });

const DAY = 86_400_000;

/** Somebody who has checked one number. */
async function withHistory(page: Page): Promise<string> {
  await new Person().enter(page);
  return runList(page, 'DE136695976');
}

function said(at: Date, options: Intl.DateTimeFormatOptions): string {
  return at.toLocaleString('en-GB', { timeZone: ZONE, hourCycle: 'h23', ...options });
}

const clock = (at: Date) => said(at, { hour: '2-digit', minute: '2-digit' });

test('a time is said in the reader’s zone and words, and has UTC behind it', async ({ page }) => {
  const run = await withHistory(page);
  await page.goto('/portal/history');
  const time = page.locator('table time').first();
  const at = new Date((await time.getAttribute('datetime'))!);
  const date = said(at, { day: 'numeric', month: 'long' });
  // In the same year, for another is said.
  const inSomeDays = said(new Date(at.getTime() + 3 * DAY), { year: 'numeric' }) === said(at, { year: 'numeric' }) ? 3 * DAY : -3 * DAY;
  // Half past a UTC day, the reader's may be another.
  for (const [later, words] of [
    [0, `${clock(at)} today`],
    [DAY, `${clock(at)} yesterday`],
    [-DAY, `${clock(at)} tomorrow`],
    [inSomeDays, `${date}, ${clock(at)}`],
    [400 * DAY, `${said(at, { day: 'numeric', month: 'long', year: 'numeric' })}, ${clock(at)}`],
  ] as const) {
    await page.clock.setFixedTime(at.getTime() + later);
    await page.goto('/portal/history');
    await expect(time).toHaveText(words);
    await expect(time).toHaveAttribute('title', /\d\d:\d\d:\d\d UTC$/);
  }

  await page.clock.setFixedTime(at);
  await page.goto(run);
  const evidence = page.locator('a[href^="/portal/history/"]');
  await expect(evidence).toHaveText(`${clock(at)} today`);
  await expect(evidence).toHaveAttribute('aria-label', `Evidence for DE136695976, ${clock(at)} today`);
  await expect(page.locator('.page-header time').first()).toHaveText(/^\d\d:\d\d$/);
  await evidence.click();
  const exact = page.locator('time[data-exact]');
  await expect(exact).toHaveText(/^\d+ \w+ \d{4}, \d\d:\d\d:\d\d\.\d{3} UTC$/);
  const beside = said(at, { hour: '2-digit', minute: '2-digit', second: '2-digit' });
  await expect(page.locator('dd', { has: exact })).toContainText(`${beside} in St Johns)`);
});

test('nothing moves when the script arrives, and what it brings later is in the same zone', async ({ page }) => {
  await watchShifts(page);
  const run = await withHistory(page);
  for (const address of ['/portal', '/portal/history', '/portal/check', run]) {
    await page.goto(address, { waitUntil: 'networkidle' });
    await takenOver(page);
    expect(await shifts(page), address).toEqual([]);
    await expect(page.locator('time').filter({ hasText: 'UTC' })).toHaveCount(0);
  }

  const first = 100_000_000 + Math.floor(Math.random() * 800_000_000);
  const numbers = Array.from({ length: 250 }, (_, place) => `DE${first + place}`);
  await checkList(page, numbers.join('\n'));
  // Without a reload: the page looks for what is new by itself.
  await expect(page.locator('#run-rows time').first()).toBeVisible();
  await expect(page.locator('time').filter({ hasText: 'UTC' })).toHaveCount(0);
  await expect(page.locator('#run-rows time').first()).toHaveText(/^\d\d:\d\d today$/);
});

test('what something depends on is said with its day and date', async ({ page }) => {
  await new Person().enter(page);
  await page.goto('/portal/keys/new');
  await page.getByLabel('Name').fill('Checkout');
  await page.getByRole('button', { name: 'Create the key' }).click();
  await page.getByLabel('I have put the key where I will find it again').check();
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('link', { name: /^Rotate Checkout/ }).click();
  await expect(page.locator('label', { hasText: '24 hours' })).toContainText(/Until tomorrow, \w+day \d+ \w+, \d\d:\d\d$/);
  await expect(page.locator('label', { hasText: '7 days' })).toContainText(/Until \w+day \d+ \w+, \d\d:\d\d$/);
});
