// What every test watches for, whatever else it is about: a page never complains in the console, never throws, never
// breaks its content security policy and never asks another origin for anything.

import { type BrowserContext, type Page, test as base, expect } from '@playwright/test';

type Options = {
  /** Console messages that belong to the case, such as Chromium's own note about a page answered with 404. */
  expectedInConsole: RegExp | null;
};

type Fixtures = {
  /** What went wrong so far, one line each. */
  complaints: string[];
  /** Has a page watched, as the test's own is. */
  watch: (page: Page) => void;
  /** Somebody else's browser: a page that is watched as well, with cookies and an address of its own. */
  elsewhere: () => Promise<Page>;
};

/** Everybody comes from an address of their own: what one may try does not count for others. */
function addressOfOnesOwn() {
  const part = () => 1 + Math.floor(Math.random() * 254);
  return { 'x-forwarded-for': `10.${part()}.${part()}.${part()}` };
}

export const test = base.extend<Options & Fixtures>({
  expectedInConsole: [null, { option: true }],

  extraHTTPHeaders: async ({}, use) => {
    await use(addressOfOnesOwn());
  },

  complaints: [
    async ({}, use) => {
      const complaints: string[] = [];
      await use(complaints);
      expect(complaints).toEqual([]);
    },
    { auto: true },
  ],

  watch: async ({ complaints, baseURL, expectedInConsole, javaScriptEnabled }, use) => {
    const origin = new URL(baseURL!).origin;

    await use((page) => {
      page.on('console', (message) => {
        const text = message.text();
        // The WebAssembly is fetched ahead; a browser without scripts makes no use of it, and says so on a page that stays open.
        const unused = javaScriptEnabled === false && text.includes('was preloaded using link preload but not used');
        if (['error', 'warning'].includes(message.type()) && !unused && !expectedInConsole?.test(text)) {
          complaints.push(`console ${message.type()}: ${text}`);
        }
      });
      page.on('pageerror', (error) => complaints.push(`thrown: ${error.message}`));
      page.on('request', (request) => {
        const url = new URL(request.url());
        if (url.protocol !== 'data:' && url.origin !== origin) {
          complaints.push(`left the origin: ${request.url()}`);
        }
      });
      page.on('requestfailed', (request) => {
        // A navigation away cancels what was still loading, and a browser without scripts refuses to load one.
        const cancelled = request.failure()?.errorText === 'net::ERR_ABORTED';
        const refused = javaScriptEnabled === false && request.url().endsWith('.js');
        if (!cancelled && !refused) {
          complaints.push(`failed: ${request.url()} ${request.failure()?.errorText}`);
        }
      });
    });
  },

  page: async ({ page, watch }, use) => {
    watch(page);
    await use(page);
  },

  elsewhere: async ({ browser, baseURL, javaScriptEnabled, watch }, use) => {
    const contexts: BrowserContext[] = [];
    await use(async () => {
      const context = await browser.newContext({ javaScriptEnabled, baseURL, extraHTTPHeaders: addressOfOnesOwn() });
      contexts.push(context);
      const page = await context.newPage();
      watch(page);
      return page;
    });
    for (const context of contexts) await context.close();
  },
});

/**
 * Waits until the script has taken over the page and what that changed is on the screen. Told by a change that only the script
 * makes, moves nothing and comes from no hand: without it a theme is kept by a button.
 */
export async function takenOver(page: Page) {
  const root = page.locator('html');
  const other = (await root.getAttribute('data-theme')) === 'dark' ? 'light' : 'dark';
  await expect(async () => {
    await page.locator(`#theme-${other}`).dispatchEvent('change');
    await expect(root).toHaveAttribute('data-theme', other, { timeout: 100 });
  }).toPass();
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

/** From the next page on, notes whatever moves by itself. */
export async function watchShifts(page: Page) {
  await page.addInitScript(() => {
    const shifts: { said: string; hadRecentInput: boolean }[] = [];
    Object.assign(window, { shifts });
    type Shift = PerformanceEntry & { value: number; hadRecentInput: boolean; sources: { node?: Node }[] };
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput, sources } of list.getEntries() as Shift[]) {
        shifts.push({ said: `${value} ${sources.map((one) => one.node?.nodeName).join()}`, hadRecentInput });
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
}

/** What has moved on this page: how much, and which elements. Not what a reader's own doing moved, unless it is asked for. */
export async function shifts(page: Page, { alsoByInput = false } = {}): Promise<string[]> {
  const all = await page.evaluate(() => (window as unknown as { shifts: { said: string; hadRecentInput: boolean }[] }).shifts);
  return all.filter((one) => alsoByInput || !one.hadRecentInput).map((one) => one.said);
}

/** Holds the WebAssembly back, and with it the script, until what is returned is called. */
export async function holdScript(page: Page): Promise<() => void> {
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/*.wasm', async (route) => {
    await held;
    await route.continue();
  });
  return release;
}

export { type Page, expect };
