// Every error code is explained at the address that its `type` names, with and without a script.

import { expect, test } from './fixtures';

const CODES = '#codes tbody th a';

test('the page says what it is', async ({ page }) => {
  await page.goto('/docs/errors', { waitUntil: 'networkidle' });

  await expect(page).toHaveTitle('Error codes – Documentation – Crossvat');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Error codes');
  await expect(page.getByRole('table')).toHaveCount(3);
});

test('the type of an error leads to its entry', async ({ page, request }) => {
  const problem = await (await request.get('/v1/nowhere')).json();
  const { pathname, hash } = new URL(problem.type);

  await page.goto(pathname + hash, { waitUntil: 'networkidle' });

  const heading = page.getByRole('heading', { name: problem.code, exact: true });
  await expect(heading).toBeInViewport();
  await expect(page.locator(':target')).toContainText(`${problem.status}. ${problem.title}.`);
  await expect(page.locator(':target')).toContainText('What to do:');
});

test('the table of codes leads to every entry', async ({ page }) => {
  await page.goto('/docs/errors', { waitUntil: 'networkidle' });
  const codes = await page.locator(CODES).allInnerTexts();
  expect(codes.length).toBeGreaterThan(10);
  const headings = await page.locator('article > section > h2 > code').allInnerTexts();
  expect(headings).toEqual(codes);

  for (const code of codes) {
    await page.goto('/docs/errors');
    await page.locator(CODES).getByText(code, { exact: true }).click();
    await expect(page).toHaveURL(`/docs/errors#${code}`);
    await expect(page.locator(':target')).toHaveAttribute('id', code);
    await expect(page.getByRole('heading', { name: code, exact: true })).toBeInViewport();
  }
});

test('it is found from the start page and from every footer', async ({ page }) => {
  for (const [address, place] of [['/', page.locator('#call')], ['/', page.getByRole('contentinfo')]] as const) {
    await page.goto(address, { waitUntil: 'networkidle' });
    await place.getByRole('link', { name: 'error codes' }).click();
    await expect(page).toHaveURL('/docs/errors');
    await expect(page.locator('#rate_limited')).toContainText('Retry-After');
  }
});

test('printed, it holds every entry and no navigation', async ({ page }) => {
  await page.goto('/docs/errors', { waitUntil: 'networkidle' });
  await page.emulateMedia({ media: 'print' });

  await expect(page.getByRole('navigation')).toHaveCount(0);
  await expect(page.locator('#overloaded')).toBeVisible();
  // The width of an A4 sheet between margins, in CSS pixels.
  await page.setViewportSize({ width: 680, height: 960 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
});
