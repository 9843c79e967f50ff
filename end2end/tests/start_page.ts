// The start page as its reader sees it.

import type { Locator, Page } from '@playwright/test';
import { expect, takenOver } from './fixtures';

export class StartPage {
  readonly field: Locator;
  readonly reading: Locator;
  readonly plate: Locator;
  readonly status: Locator;

  constructor(readonly page: Page) {
    this.field = page.getByRole('textbox', { name: 'See how a number is read' });
    this.reading = page.locator('.number-reading');
    this.plate = this.reading.locator('.finding .vat-number');
    this.status = this.reading.locator('.finding .status-tag');
  }

  /** Opens the page, with a number in its address where one is given. */
  async open(number?: string) {
    await this.page.goto(number === undefined ? '/' : `/?number=${encodeURIComponent(number)}`);
  }

  /** Waits until the script has taken over: from then on typing changes the reading. */
  async hydrated() {
    await expect(this.reading).toBeVisible();
    await takenOver(this.page);
  }

  /** What stands beside a name in the list of facts. */
  fact(name: string): Locator {
    return this.reading.locator('dl > div').filter({ has: this.page.locator('dt', { hasText: name }) }).locator('dd');
  }
}
