// Without a script nobody but the reader knows the zone: times are in UTC and say so.

import { expect, test } from './fixtures';
import { Person } from './portal';

// Chromium notes after some seconds that nothing has used the WebAssembly it was told to fetch early.
test.use({ timezoneId: 'America/St_Johns', expectedInConsole: /preloaded using link preload but not used/ });

test('times are said in UTC', async ({ page }) => {
  await new Person().enter(page);
  const time = page.getByRole('main').locator('time');
  await page.goto('/portal/settings');
  await expect(time.first()).toHaveText(/^\d\d:\d\d UTC today$/);
  await expect(time.first()).toHaveAttribute('title', /UTC$/);
});
