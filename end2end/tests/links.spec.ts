// No link leads nowhere.

import { expect, test } from './fixtures';

for (const path of ['/', '/?number=AT57194903', '/docs', '/docs/quickstart', '/docs/reference', '/docs/sandbox', '/docs/errors']) {
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
