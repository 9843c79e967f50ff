// A signed-in support person, for the tests of what support does.

import { type Page } from '@playwright/test';
import { Support } from './support';

/** A new one of the support staff, whose second factor was just seen, at this browser. */
export async function signInAsSupport(page: Page) {
  await new Support().enter(page);
}
