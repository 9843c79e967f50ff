// axe reports nothing: in either theme, at any width, whatever the field holds.

import { checkFits, checkUsable } from './accessible';
import { DOCUMENTATION } from './documentation';
import { expect, test } from './fixtures';

const DOCUMENTED = [...DOCUMENTATION, '/docs/quickstart?language=rust', '/docs/reference?find=consultation'];
const ADDRESSES = [
  '/',
  '/?number=',
  '/status',
  '/?number=AT57194903',
  '/?number=GB123456789',
  '/?number=CHE-116.281.710%20MWST',
  '/?try=FR20999993017',
  '/docs/quickstart',
  '/docs/errors',
];

// Pages of text are alike at any width, as far as axe looks: what differs is whether they fit.
for (const colorScheme of ['light', 'dark'] as const) {
  for (const address of DOCUMENTED) {
    test(`${address}, ${colorScheme}`, async ({ page, isMobile }) => {
      test.skip(isMobile, 'widths are chosen here');
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width: 1280, height: 900 });
      await page.goto(address, { waitUntil: 'networkidle' });
      await checkUsable(page);
      await page.setViewportSize({ width: 320, height: 900 });
      await checkFits(page);
    });
  }
}

/** In both themes and at every width. */
function canBeUsed(address: string) {
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [1280, 390, 320]) {
      test(`${address}, ${colorScheme} at ${width} px`, async ({ page, isMobile }) => {
        test.skip(isMobile && width > 390, 'no phone is so wide');
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 900 });
        await page.goto(address, { waitUntil: 'networkidle' });
        await checkUsable(page);
      });
    }
  }
}

for (const address of ADDRESSES) canBeUsed(address);

test.describe('an address without a page', () => {
  test.use({ expectedInConsole: /the server responded with a status of 404/ });
  canBeUsed('/no-such-page');
});

for (const address of ['/', ...DOCUMENTATION]) {
  test(`headings on ${address} are in order`, async ({ page }) => {
    await page.goto(address);
    const levels = await page.locator('h1, h2, h3, h4').evaluateAll((all) => all.map((one) => Number(one.tagName[1])));

    expect(levels.filter((level) => level === 1)).toHaveLength(1);
    levels.forEach((level, i) => expect(level).toBeLessThanOrEqual((levels[i - 1] ?? 0) + 1));
  });
}

test('the keyboard reaches everything, from the skip link to the footer', async ({ page }) => {
  await page.goto('/', { waitUntil: 'networkidle' });
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to main content' })).toBeFocused();
  await expect(page.getByRole('link', { name: 'Skip to main content' })).toBeInViewport();

  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('main').getByRole('link', { name: 'Get a key' }).first()).toBeFocused();

  const reached: string[] = [];
  for (let i = 0; i < 60; i += 1) {
    await page.keyboard.press('Tab');
    const name = await page.evaluate(() => {
      const element = document.activeElement;
      return element && element !== document.body ? element.id || element.textContent!.trim() : '';
    });
    if (name === '' || name === 'theme-system') {
      reached.push(name);
      break;
    }
    reached.push(name);
  }
  expect(reached).toContain('try');
  expect(reached).toContain('Check');
  expect(reached).toContain('number');
  expect(reached).toContain('Read it');
  expect(reached.at(-1)).toBe('theme-system');
});
