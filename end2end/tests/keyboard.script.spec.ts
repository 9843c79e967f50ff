// Whoever goes through a page by keyboard sees where they are: nothing lies over what has the focus, however low the window is.

import type { Page } from '@playwright/test';
import { expect, takenOver, test } from './fixtures';
import { Person } from './portal';

/** A low window, and the same at 400 %. */
const WINDOWS = [
  { width: 1280, height: 600 },
  { width: 320, height: 256 },
];

test.skip(({ isMobile }) => isMobile, 'windows are chosen here');

/** Of what has the focus: its name, whether any of it can be seen, and whether it is marked. Nothing at the end of the page. */
function focused(page: Page) {
  return page.evaluate(() => {
    const element = document.activeElement;
    if (element === null || element === document.body) return null;
    const { left, right, top, bottom } = element.getBoundingClientRect();
    const label = element.closest('label');
    const isOn = (at: Element | null) => at !== null && (element.contains(at) || at.contains(element) || label?.contains(at) === true);
    const points = [left + 2, (left + right) / 2, right - 2].flatMap((x) => [top + 2, (top + bottom) / 2, bottom - 2].map((y) => [x, y] as const));
    const outlined = (one: Element | null) => one !== null && getComputedStyle(one).outlineStyle !== 'none';
    return {
      name: `${element.nodeName} “${element.id || element.textContent!.trim().slice(0, 40)}”`,
      isSeen: points.some(([x, y]) => isOn(document.elementFromPoint(x, y))),
      isMarked: outlined(element) || outlined(label),
    };
  });
}

async function goThrough(page: Page, address: string) {
  for (const window of WINDOWS) {
    await page.setViewportSize(window);
    await page.goto(address, { waitUntil: 'networkidle' });
    let steps = 0;
    for (; steps < 150; steps += 1) {
      await page.keyboard.press('Tab');
      const at = await focused(page);
      if (at === null) break;
      expect(at, `${address}, ${window.width} × ${window.height}, ${at.name}`).toEqual({ name: at.name, isSeen: true, isMarked: true });
    }
    // The skip link, the navigation and the foot of the page are there at least.
    expect(steps, address).toBeGreaterThan(8);
  }
}

for (const address of ['/', '/docs', '/docs/outages', '/docs/quickstart', '/status', '/sign-up', '/sign-in']) {
  test(`the focus on ${address} is seen`, async ({ page }) => {
    await goThrough(page, address);
  });
}

test('the focus on members’ pages is seen', async ({ page }) => {
  await new Person().enter(page);
  for (const address of ['/portal', '/portal/keys/new', '/portal/check?examples=1', '/portal/history', '/portal/settings']) {
    await goThrough(page, address);
  }
});

test('the reader’s menu closes when it is left', async ({ page }) => {
  await new Person().enter(page);
  await takenOver(page);
  const menu = page.locator('.person-menu');
  const summary = menu.locator('summary');

  await summary.focus();
  await page.keyboard.press('Enter');
  await expect(menu).toHaveAttribute('open');
  await page.keyboard.press('Tab');
  await expect(menu.getByRole('link', { name: 'Settings' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(menu).not.toHaveAttribute('open');
  await expect(summary).toBeFocused();

  await page.keyboard.press('Enter');
  await menu.getByRole('button', { name: 'Sign out' }).focus();
  await expect(menu).toHaveAttribute('open');
  await page.keyboard.press('Tab');
  await expect(menu).not.toHaveAttribute('open');

  await summary.click();
  await expect(menu).toHaveAttribute('open');
  await page.getByRole('heading', { level: 1 }).click();
  await expect(menu).not.toHaveAttribute('open');
});
