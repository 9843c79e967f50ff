// The script arrives without moving, breaking or fetching anything it should not.

import { expect, holdScript, shifts, takenOver, test, watchShifts } from './fixtures';
import { StartPage } from './start_page';

test('hydration shifts nothing', async ({ page }) => {
  await watchShifts(page);
  const start = new StartPage(page);
  await start.open('AT57194903');
  await start.hydrated();
  expect(await shifts(page)).toEqual([]);
});

test('hydration leaves the server’s elements in place', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const release = await holdScript(page);
  await page.goto('/?number=GB123456789', { waitUntil: 'domcontentloaded' });
  await page.evaluate(() => Object.assign(window, { printed: [...document.body.querySelectorAll('*')] }));
  const shown = () => page.getByRole('main').innerText();
  const before = await shown();

  release();
  await expect(async () => {
    // Only the script answers this button.
    await page.locator('#call').getByRole('button', { name: 'Copy' }).click();
    await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible({ timeout: 200 });
  }).toPass();

  const gone = await page.evaluate(() =>
    (window as unknown as { printed: Element[] }).printed
      .filter((element) => !element.isConnected)
      .map((element) => element.outerHTML.slice(0, 80)),
  );
  expect(gone).toEqual([]);
  expect(await shown()).toBe(before.replace('Copy', 'Copied'));
});

test('what the page costs', async ({ page }) => {
  const sizes: Record<string, number> = {};
  page.on('response', async (response) => {
    const name = new URL(response.url()).pathname;
    if (name.startsWith('/pkg/')) sizes[name.split('.').at(-1)!] = (await response.request().sizes()).responseBodySize;
  });
  await page.goto('/', { waitUntil: 'networkidle' });

  await expect.poll(() => Object.keys(sizes).sort()).toEqual(['css', 'js', 'wasm']);
  expect(sizes.wasm + sizes.js).toBeLessThan(250_000);
});

test('files of the package may be kept for ever, pages not', async ({ request }) => {
  const page = await request.get('/');
  const script = /"(\/pkg\/[^"]+\.js)"/.exec(await page.text())![1];
  expect((await request.get(script)).headers()['cache-control']).toMatch(/immutable/);
  expect(page.headers()['cache-control'] ?? '').not.toMatch(/immutable|max-age=[1-9]/);
});

test('the listing is copied as it stands', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/');
  await takenOver(page);
  await page.locator('#call').getByRole('button', { name: 'Copy' }).click();

  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toBe(await page.locator('#call .code-block pre').innerText());
  expect(copied).toMatch(/^curl "\$CROSSVAT_URL\/v1\/verify-vat"/);
});
