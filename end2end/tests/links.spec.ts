// No link of everybody's pages leads nowhere. Those of members and support staff are followed in signed_in_links.script.spec.ts, and
// all of them, as the server writes them and for every kind of reader, in tests/it/portal/every_link.rs.

import { expect, test } from './fixtures';

const PAGES = [
  '/',
  '/?number=AT57194903',
  '/status',
  '/docs',
  '/docs/quickstart',
  '/docs/reference',
  '/docs/sandbox',
  '/docs/errors',
  '/docs/try',
  '/sign-in',
  '/sign-up',
  '/forgot-password',
];

for (const path of PAGES) {
  test(`every link on ${path} resolves`, async ({ page, request }) => {
    await page.goto(path, { waitUntil: 'networkidle' });
    const addresses = await page.locator('a[href]').evaluateAll((links) =>
      links.map((link) => (link as HTMLAnchorElement).href),
    );
    expect(addresses.length).toBeGreaterThan(8);

    for (const address of new Set(addresses)) {
      const url = new URL(address);
      const response = await request.get(url.pathname + url.search);
      expect(response.status(), address).toBe(200);
      if (url.hash) {
        expect(await response.text(), address).toContain(` id="${url.hash.slice(1)}"`);
      }
    }
  });
}

test('the icon and the style sheet are there', async ({ page, request }) => {
  await page.goto('/');
  for (const link of await page.locator('head link[href]').all()) {
    const address = (await link.getAttribute('href'))!;
    expect((await request.get(address)).status(), address).toBe(200);
  }
});
