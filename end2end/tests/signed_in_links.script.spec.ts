// No link of members' and support's pages leads nowhere, as the script leaves them: all of them are followed.

import { type Page, expect, takenOver, test } from './fixtures';
import { Person, makeKey, runList } from './portal';
import { Support } from './support';

/** Follows every link of every page below a path; returns the pages. */
async function followAll(page: Page, below: string): Promise<string[]> {
  const pages: string[] = [];
  const known = new Set([below]);
  const waiting = [below];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    pages.push(path);
    const response = await page.goto(path);
    expect(response?.status(), path).toBe(200);
    await takenOver(page);
    const addresses = await page.locator('a[href]').evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).href));
    for (const address of new Set(addresses)) {
      const url = new URL(address);
      expect(url.origin, `${address} on ${path}`).toBe(new URL(page.url()).origin);
      const target = url.pathname + url.search;
      if (known.has(target) && !url.hash) continue;
      const answer = await page.request.get(target, { maxRedirects: 1 });
      expect(answer.status(), `${address} on ${path}`).toBe(200);
      if (url.hash) expect(await answer.text(), `${address} on ${path}`).toContain(` id="${url.hash.slice(1)}"`);
      const isPage = answer.headers()['content-type']?.startsWith('text/html');
      if (!known.has(target) && isPage && target.startsWith(below)) waiting.push(target);
      known.add(target);
    }
  }
  return pages;
}

test('every link of an owner’s pages resolves', async ({ page, isMobile }) => {
  test.skip(isMobile, 'the links are the same');
  await new Person().enter(page);
  await makeKey(page, 'Checkout');
  await runList(page, 'DE136695976\nnonsense\nGB980780684');
  const pages = await followAll(page, '/portal');
  for (const kind of [/\/check\/[0-9a-f-]{36}$/, /\/history\/[0-9a-f-]{36}$/, /\/keys\/[0-9a-f-]{36}\/rotate$/, /\/members\/[0-9a-f-]{36}$/]) {
    expect(pages.some((path) => kind.test(path)), String(kind)).toBe(true);
  }
});

test('every link of support’s pages resolves', async ({ page, elsewhere, isMobile }) => {
  test.skip(isMobile, 'the links are the same');
  const colleague = await elsewhere();
  await new Person().enter(colleague);
  await new Support().enter(page);
  const pages = await followAll(page, '/staff');
  for (const kind of [/\/accounts\/[0-9a-f-]{36}$/, /\/accounts\/[0-9a-f-]{36}\/suspend$/, /\/registries\/PL\/open$/, /\/team\/[0-9a-f-]{36}$/]) {
    expect(pages.some((path) => kind.test(path)), String(kind)).toBe(true);
  }
});
