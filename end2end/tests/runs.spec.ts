// A run in the middle: stopped and sent on, read again, and while the connection is away.

import type { APIRequestContext } from '@playwright/test';
import { expect, test } from './fixtures';
import { Person, checkList, reloadUntil } from './portal';

const simulator = process.env.CROSSVAT_SIMULATOR!;
/** More than two parts. */
const COUNT = 250;

/** So many numbers of Luxembourg that nobody asked before. */
function numbers(): string[] {
  const first = 10_000_000 + Math.floor(Math.random() * 80_000_000);
  return Array.from({ length: COUNT }, (_, place) => `LU${first + place}`);
}

/** How long the registry takes for each. */
async function answerAfter(request: APIRequestContext, delay: number) {
  await request.put(`${simulator}/control/vies/LU`, { data: { delay_ms: delay } });
}

test.describe('a slow registry', () => {
  // A part of a hundred takes 13 s, three at once: the middle of the run lasts until it has been looked at.
  test.beforeEach(({ request }) => answerAfter(request, 400));

  test.afterEach(({ request }) => answerAfter(request, 0));

  test('a run is stopped in its middle, sent on, read again and ends; nothing is asked twice', async ({ page, request, javaScriptEnabled }) => {
    /** With a script the page follows by itself. */
    const progress = async (words: string | RegExp) => {
      await expect(async () => {
        if (javaScriptEnabled === false) await page.reload();
        await expect(page.locator('#progress')).toContainText(words, { timeout: 1_000 });
      }).toPass();
    };
    await new Person().enter(page);
    const pasted = numbers();
    await checkList(page, pasted.join('\n'));
    const run = page.url();
    await page.getByRole('button', { name: 'Stop after this part' }).click();
    await progress('Stopped at');
    await answerAfter(request, 0);
    const asked = async () => Number(/Stopped at (\d+) of 250/.exec(await page.locator('#progress').innerText())![1]);
    const ended = () => expect(page.locator('#progress')).not.toContainText('on its way', { timeout: 500 });
    await reloadUntil(page, ended);
    const before = await asked();
    expect(before).toBeGreaterThan(0);
    expect(before).toBeLessThan(COUNT);

    await page.goto('/portal');
    await page.goto(run);
    expect(await asked()).toBe(before);
    await page.getByRole('button', { name: `Go on with the ${COUNT - before} that wait` }).click();
    await expect(page.locator('#progress')).toContainText(/of 250/);
    await page.reload();
    await progress('All 250 have an answer.');

    const file = await (await page.request.get(`${run}/results.csv`)).text();
    expect(file.trim().split('\r\n')).toHaveLength(1 + COUNT);
    const calls = (await (await request.get(`${simulator}/control/calls`)).json()) as { number: string }[];
    const about = calls.filter((call) => pasted.includes(`LU${call.number}`));
    expect(about).toHaveLength(COUNT);
  });

  test.describe('without a connection', () => {
    test.use({ expectedInConsole: /ERR_INTERNET_DISCONNECTED/ });

    test('the page says so, the run goes on, and the page catches up', async ({ page, context, request, complaints, javaScriptEnabled }) => {
      test.skip(javaScriptEnabled === false, 'without a script nothing is fetched');
      await new Person().enter(page);
      await checkList(page, numbers().join('\n'));
      await page.waitForLoadState('networkidle');
      await page.evaluate(() => Object.assign(window, { samePage: true }));
      await context.setOffline(true);
      await expect(page.locator('#connection')).not.toBeEmpty();

      await context.setOffline(false);
      await expect(page.locator('#connection')).toBeEmpty();
      expect(await page.evaluate(() => 'samePage' in window)).toBe(true);
      await answerAfter(request, 0);
      await expect(page.locator('#progress')).toContainText('All 250 have an answer.', { timeout: 120_000 });
      // The requests that failed meanwhile, and nothing else.
      expect(complaints.filter((complaint) => !complaint.includes('ERR_INTERNET_DISCONNECTED'))).toEqual([]);
      complaints.length = 0;
    });
  });
});
