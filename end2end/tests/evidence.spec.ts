// Evidence is one sheet of paper, whatever the theme on the screen.

import { expect, test } from './fixtures';
import { Person, runList } from './portal';
import { themeCookie } from './theme';

test('evidence prints on one A4 sheet, dark on white, also from the dark theme', async ({ page, context }) => {
  await new Person().enter(page);
  await runList(page, 'DE136695976\nGB980780684');
  const links = page.locator('a[href^="/portal/history/"]');
  await expect(links.nth(1)).toBeVisible();
  const sheets = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')!));
  expect(new Set(sheets).size).toBe(2);

  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await context.addCookies([themeCookie(colorScheme, page.url())]);
    for (const sheet of new Set(sheets)) {
      await page.goto(sheet);
      const pdf = (await page.pdf({ preferCSSPageSize: true, printBackground: true })).toString('latin1');
      expect(pdf.match(/\/Type\s*\/Page(?!s)/g), `${sheet} ${colorScheme}`).toHaveLength(1);
      const [, , width, height] = /\/MediaBox\s*\[([^\]]+)\]/.exec(pdf)![1].trim().split(/\s+/).map(Number);
      expect([Math.round(width), Math.round(height)]).toEqual([595, 842]);

      await page.emulateMedia({ media: 'print', colorScheme });
      const brightness = await page.evaluate(() => {
        const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })!;
        const of = (color: string) => {
          canvas.clearRect(0, 0, 1, 1);
          canvas.fillStyle = color;
          canvas.fillRect(0, 0, 1, 1);
          const [red, green, blue, alpha] = canvas.getImageData(0, 0, 1, 1).data;
          return alpha === 0 ? null : (red + green + blue) / 3;
        };
        const paper = ['.evidence-sheet', 'main', 'body', 'html'].map((part) => of(getComputedStyle(document.querySelector(part)!).backgroundColor));
        return { paper: paper.filter((one) => one !== null), ink: of(getComputedStyle(document.querySelector('.evidence-sheet p')!).color) };
      });
      for (const paper of brightness.paper) expect(paper, `${sheet} ${colorScheme}`).toBeGreaterThan(230);
      expect(brightness.ink, `${sheet} ${colorScheme}`).toBeLessThan(110);
      await page.emulateMedia({ media: null, colorScheme });
    }
  }
});
