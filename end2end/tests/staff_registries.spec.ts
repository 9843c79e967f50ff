// Support sees how it stands with the registries, opens a breaker by hand, and closes it again. The page keeps itself up to date.

import type { APIRequestContext, Page } from '@playwright/test';
import { checkUsableInBothThemes } from './accessible';
import { expect, shifts, takenOver, test, watchShifts } from './fixtures';
import { Person, makeKey } from './portal';
import { Support } from './support';

// Chromium notes a form that needs changing, which is answered with 422.
test.use({ expectedInConsole: /status of 422/ });

const simulator = process.env.CROSSVAT_SIMULATOR!;

/** Whether everybody can use the page. It is looked at with a script. */
async function check(page: Page, javaScriptEnabled = true) {
  if (javaScriptEnabled) await checkUsableInBothThemes(page);
}

/** A number of Malta that nobody asked before. */
function number(): string {
  return `MT${10_000_000 + Math.floor(Math.random() * 80_000_000)}`;
}

async function call(request: APIRequestContext, key: string, vatNumber = number()): Promise<number> {
  const answer = await request.post('/v1/verify-vat', {
    headers: { authorization: `Bearer ${key}` },
    data: { vatNumbers: [vatNumber] },
  });
  return answer.status();
}

async function keyOfACustomer(page: Page): Promise<string> {
  await new Person().enter(page);
  return makeKey(page, 'Checkout');
}

test('a breaker is opened with a reason that everybody reads, and closed again', async ({ page, elsewhere, request, javaScriptEnabled }) => {
  const portal = await elsewhere();
  const key = await keyOfACustomer(portal);
  await new Support().enter(page);
  await page.getByRole('link', { name: 'Registries' }).click();
  await expect(page).toHaveURL('/staff/registries');
  await check(page, javaScriptEnabled);
  await page.getByRole('link', { name: /^All/ }).click();
  await expect(page.getByRole('row')).toHaveCount(29);
  await check(page, javaScriptEnabled);
  await page.getByRole('link', { name: 'Open the breaker of Malta' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Open the breaker of Malta');
  await check(page, javaScriptEnabled);
  await page.getByLabel('1 hour').check();
  await page.getByRole('button', { name: 'Open the breaker' }).click();
  await expect(page).toHaveTitle(/^Error: /);
  await expect(page.getByLabel('1 hour')).toBeChecked();
  await check(page, javaScriptEnabled);
  await page.getByLabel('Reason').fill('Malta has announced maintenance');
  await page.getByRole('button', { name: 'Open the breaker' }).click();
  await expect(page.getByRole('status').first()).toContainText('Malta is asked nothing from now on.');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Malta is not asked');
  await expect(page.getByRole('row', { name: /Malta/ })).toContainText('By Sam Smith');
  await check(page, javaScriptEnabled);
  expect(await call(request, key)).toBe(503);

  await portal.goto('/status');
  await expect(portal.locator('.notice')).toContainText('Malta is not asked at present: Malta has announced maintenance.');
  await check(portal, javaScriptEnabled);
  await portal.goto('/portal');
  await expect(portal.getByRole('listitem').filter({ hasText: 'Malta' })).toContainText('Malta has announced maintenance');

  await page.getByRole('link', { name: 'Close the breaker of Malta' }).click();
  await expect(page.getByText('By Sam Smith')).toBeVisible();
  await check(page, javaScriptEnabled);
  await page.getByRole('button', { name: 'Close the breaker' }).click();
  await expect(page.getByRole('status').first()).toContainText('Malta is asked again.');
  expect(await call(request, key)).toBe(200);
});

test('the page keeps itself up to date, and the reader’s place in it', async ({ page, elsewhere, request, javaScriptEnabled }) => {
  test.skip(javaScriptEnabled === false, 'without a script one looks again by a link');
  const portal = await elsewhere();
  const key = await keyOfACustomer(portal);
  const malta = `${simulator}/control/vies/MT`;
  await request.put(malta, { data: { condition: 'down' } });
  try {
    expect(await call(request, key)).toBe(503);
    expect(await call(request, key, 'GB980780684')).toBe(200);
    await new Support().enter(page);
    // Figures of HMRC grow and shrink from one look to the next.
    let figure = '340 ms';
    await page.route('/staff/registries', async (route) => {
      const response = await route.fetch();
      const [before, hmrc, after] = (await response.text()).split(/(<section id="registry-HMRC".*?<\/section>)/s);
      const body = before + hmrc!.replaceAll(/[\d.]+ m?s (usual|for)/g, `${figure} $1`) + after;
      await route.fulfill({ response, body });
    });
    await watchShifts(page);
    await page.goto('/staff/registries');
    await takenOver(page);
    await expect(page.locator('#registry-HMRC')).toContainText('340 ms usual');
    figure = '1 ms';
    const row = page.getByRole('row', { name: /Malta/ });
    await row.getByText('What was sent').click();
    await expect(row.locator('pre')).toContainText('MS_UNAVAILABLE');
    await row.getByRole('link').focus();
    await page.evaluate(() => window.scrollTo(0, 120));
    const [scrolled, focused, before] = await page.evaluate(() => [
      window.scrollY,
      document.activeElement?.id,
      document.querySelector('#registries-finding time')?.getAttribute('datetime'),
    ]);
    expect(focused).toBe('change-MT');
    await expect(page.locator('#registries-finding time')).not.toHaveAttribute('datetime', before as string);
    await expect(page.locator('#registry-HMRC')).toContainText('1 ms for the slowest');
    await expect(row.locator('details')).toHaveAttribute('open');
    await expect(row.locator('pre')).toBeVisible();
    expect(await page.evaluate(() => [window.scrollY, document.activeElement?.id])).toEqual([scrolled, 'change-MT']);
    expect(await shifts(page)).toEqual([]);
    // What is said is to the second, in the reader's own zone.
    await expect(page.locator('#registries-finding time')).toHaveText(/^\d\d:\d\d:\d\d$/);
  } finally {
    await request.put(malta, { data: { condition: 'up' } });
  }
});

test('without a script one looks again by a link', async ({ page, javaScriptEnabled }) => {
  test.skip(javaScriptEnabled !== false, 'with a script the page looks again by itself');
  await new Support().enter(page);
  await page.goto('/staff/registries?show=all');
  const said = page.locator('#registries-finding time');
  const before = await said.getAttribute('datetime');
  await expect(async () => {
    await page.getByRole('link', { name: 'Look again' }).click();
    await expect(said).not.toHaveAttribute('datetime', before!, { timeout: 500 });
  }).toPass();
  await expect(page).toHaveURL('/staff/registries?show=all');
});
