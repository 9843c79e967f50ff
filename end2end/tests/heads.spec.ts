// Every page has a title of its own, and every public one says what it is about and where it stands.

import { DOCUMENTATION } from './documentation';
import { expect, test } from './fixtures';

const PUBLIC = ['/', ...DOCUMENTATION, '/status', '/sign-up', '/sign-in'];
const OTHERS = ['/forgot-password', '/staff/sign-in', '/docs/quickstart?language=rust', '/docs/reference?find=consultation'];

test('titles and descriptions are unique, and a public page names its one address', async ({ page, baseURL }) => {
  const titles = new Map<string, string>();
  const descriptions = new Map<string, string>();
  for (const address of [...PUBLIC, ...OTHERS]) {
    await page.goto(address);
    const title = await page.title();
    expect(title, address).toMatch(/Crossvat/);
    expect(titles.get(title), `${address}: “${title}”`).toBeUndefined();
    titles.set(title, address);
    if (!PUBLIC.includes(address)) continue;
    const content = (selector: string) => page.locator(`head ${selector}`).getAttribute('content');
    const description = (await content('meta[name=description]'))!;
    expect(descriptions.get(description), `${address}: “${description}”`).toBeUndefined();
    descriptions.set(description, address);
    await expect(page.locator('head link[rel=canonical]')).toHaveAttribute('href', new URL(address, baseURL).href);
    expect(await content('meta[property="og:title"]'), address).toBe(title);
    expect(await content('meta[property="og:url"]'), address).toBe(new URL(address, baseURL).href);
  }
});

test('what belongs to one reader is described to nobody', async ({ page }) => {
  for (const address of ['/forgot-password', '/staff/sign-in']) {
    await page.goto(address);
    await expect(page.locator('head').locator('meta[name=description], link[rel=canonical], meta[property]')).toHaveCount(0);
  }
});

test('browsers find every icon they ask for, and a colour for both schemes', async ({ page, request }) => {
  for (const [address, type] of [['/favicon.ico', 'image/x-icon'], ['/favicon.svg', 'image/svg+xml'], ['/apple-touch-icon.png', 'image/png']]) {
    const response = await request.get(address!);
    expect([response.status(), response.headers()['content-type']], address).toEqual([200, type]);
  }
  await page.goto('/');
  const schemes = await page.locator('head meta[name=theme-color]').evaluateAll((all) => all.map((one) => one.getAttribute('media')));
  expect(schemes).toEqual(['(prefers-color-scheme: light)', '(prefers-color-scheme: dark)']);
});
