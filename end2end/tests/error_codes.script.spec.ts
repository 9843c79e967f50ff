// The page about error codes is the server's: the script leaves it alone, and fetches it where it is not there.

import { expect, holdScript, shifts, takenOver, test, watchShifts } from './fixtures';
import { StartPage } from './start_page';

test('hydration leaves the text in place', async ({ page }) => {
  const release = await holdScript(page);
  await watchShifts(page);
  await page.goto('/docs/errors', { waitUntil: 'domcontentloaded' });
  const before = await page.getByRole('main').innerText();
  await page.evaluate(() => Object.assign(window, { printed: [...document.body.querySelectorAll('*')] }));

  release();
  await takenOver(page);

  const gone = await page.evaluate(() => {
    const { printed } = window as unknown as { printed: Element[] };
    return printed.filter((element) => !element.isConnected).map((element) => element.outerHTML);
  });
  expect(gone).toEqual([]);
  expect(await shifts(page, { alsoByInput: true })).toEqual([]);
  expect(await page.getByRole('main').innerText()).toBe(before);
});

test('going back to it from another page shows it whole', async ({ page }) => {
  await page.goto('/docs/errors#rate_limited', { waitUntil: 'networkidle' });
  await page.getByRole('link', { name: 'Crossvat, home' }).click();
  await expect(page).toHaveURL('/');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/Checked at the registry/);

  await page.goBack();

  await expect(page).toHaveURL('/docs/errors#rate_limited');
  await expect(page.locator('#rate_limited')).toContainText('Retry-After');
  await expect(page).toHaveTitle('Error codes – Documentation – Crossvat');
});

test('a link that the router follows shows it whole', async ({ page }) => {
  const start = new StartPage(page);
  await start.open();
  await start.hydrated();
  await page.evaluate(() => {
    const link = document.createElement('a');
    link.href = '/docs/errors#overloaded';
    link.textContent = 'followed by the router';
    document.querySelector('main')!.prepend(link);
  });

  await page.getByRole('link', { name: 'followed by the router' }).click();

  await expect(page).toHaveURL('/docs/errors#overloaded');
  await expect(page.locator('#overloaded')).toContainText('Retry-After');
  await expect(page.locator(':target')).toHaveAttribute('id', 'overloaded');
});

test('its text is not in the script', async ({ request }) => {
  const page = await (await request.get('/docs/errors')).text();
  const wasm = /"(\/pkg\/[^"]+\.wasm)"/.exec(page)![1];
  const script = (await (await request.get(wasm)).body()).toString('latin1');

  expect(page).toContain('Decide by');
  expect(script).not.toContain('Decide by');
  expect(script).not.toContain('VIES answered');
});
