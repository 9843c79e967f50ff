// A chosen theme shows at once, survives a reload and is undone by the system's.

import type { Page } from '@playwright/test';
import { expect, holdScript, test } from './fixtures';
import { themeCookie } from './theme';

/** Chooses, and without a script also sends the choice. */
async function choose(page: Page, theme: string, javaScriptEnabled: boolean) {
  await page.getByRole('radio', { name: theme }).check({ force: true });
  if (!javaScriptEnabled) {
    await page.getByRole('button', { name: 'Keep' }).click();
  }
}

const scheme = (page: Page) => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme);

for (const [theme, expected] of [['Dark', 'dark'], ['Light', 'light']]) {
  test(`${theme} is kept`, async ({ page, javaScriptEnabled }) => {
    await page.goto('/?number=GB123456782', { waitUntil: 'networkidle' });
    await choose(page, theme, javaScriptEnabled!);
    await expect.poll(() => scheme(page)).toBe(expected);
    await expect(page.locator('html')).toHaveAttribute('data-theme', expected);
    await expect(page).toHaveURL('/?number=GB123456782');

    await page.reload({ waitUntil: 'networkidle' });

    await expect(page.locator('html')).toHaveAttribute('data-theme', expected);
    await expect(page.getByRole('radio', { name: theme })).toBeChecked();
    expect(await scheme(page)).toBe(expected);
  });
}

test('what is chosen before the script comes is kept as well', async ({ page, context, javaScriptEnabled }) => {
  test.skip(javaScriptEnabled === false, 'without a script the button keeps it');
  const release = await holdScript(page);
  await page.goto('/', { waitUntil: 'domcontentloaded' });
  await choose(page, 'Dark', true);
  await expect.poll(() => scheme(page)).toBe('dark');
  await expect(page.locator('html')).not.toHaveAttribute('data-theme');

  release();

  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  expect(await context.cookies()).toContainEqual(expect.objectContaining({ name: '__Host-theme', value: 'dark' }));
});

test('the system’s theme takes the choice back', async ({ page, javaScriptEnabled }) => {
  await page.goto('/', { waitUntil: 'networkidle' });
  await choose(page, 'Dark', javaScriptEnabled!);
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await choose(page, 'System', javaScriptEnabled!);
  await expect(page.locator('html')).not.toHaveAttribute('data-theme');

  await page.reload({ waitUntil: 'networkidle' });

  await expect(page.locator('html')).not.toHaveAttribute('data-theme');
  await expect(page.getByRole('radio', { name: 'System' })).toBeChecked();
  expect(await scheme(page)).toBe('light dark');
});

test('the server prints the theme of the cookie', async ({ page, context }) => {
  await context.addCookies([themeCookie('dark', test.info().project.use.baseURL!)]);
  await page.goto('/', { waitUntil: 'networkidle' });
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await expect(page.getByRole('radio', { name: 'Dark' })).toBeChecked();
  expect(await scheme(page)).toBe('dark');
});
