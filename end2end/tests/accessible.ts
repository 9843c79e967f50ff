// Whether everybody can use a page: axe reports nothing and nothing runs over. What folds is unfolded for the look.

import AxeBuilder from '@axe-core/playwright';
import { type Page, expect } from './fixtures';

/** In the theme and at the width that the page has. */
export async function checkUsable(page: Page, what = page.url()) {
  // A click waits for the beginning of the next page alone.
  await page.waitForLoadState();
  await unfolded(page, async () => {
    // The other mode sums up in a second tab, behind which a phone's page stands still. It is for frames, of which there are none.
    const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
    expect(violations, what).toEqual([]);
    await fits(page, what);
  });
}

/** In the light and in the dark theme, on the page that is open. */
export async function checkUsableInBothThemes(page: Page) {
  await inBothThemes(page, (theme) => checkUsable(page, `${page.url()}, ${theme}`));
}

/** Looks in the light and in the dark theme, at colours that are not on their way from one to the other. */
export async function inBothThemes(page: Page, look: (theme: string) => Promise<void>) {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await look(colorScheme);
  }
}

/** Nothing is wider than the window. */
export async function checkFits(page: Page) {
  await unfolded(page, () => fits(page, page.url()));
}

async function fits(page: Page, what: string) {
  // A telephone makes its window wider for what runs over, so the screen is the measure.
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width, `${what} is wider than the window`).toBeLessThanOrEqual(page.viewportSize()!.width);
}

/** As it was afterwards, for the story goes on. */
async function unfolded(page: Page, look: () => Promise<void>) {
  const folded = await page.locator('details:not([open])').elementHandles();
  for (const details of folded) await details.evaluate((one) => (one as Element).setAttribute('open', ''));
  await look();
  for (const details of folded) await details.evaluate((one) => (one as Element).removeAttribute('open'));
}
