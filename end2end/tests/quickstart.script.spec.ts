// The programs of the quickstart, as the page shows them, run against the server with a test key.

import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, takenOver, test } from './fixtures';
import { Person } from './portal';

const root = fileURLToPath(new URL('../../', import.meta.url));
const file = (name: string) => readFileSync(`${root}docs/quickstart/${name}`, 'utf8');

/** How each is started; the Rust one was compiled beside the server. */
const PROGRAMS: [language: string, name: string, start: string[]][] = [
  ['curl', 'verify.sh', ['sh', `${root}docs/quickstart/verify.sh`]],
  ['javascript', 'verify.mjs', [process.execPath, `${root}docs/quickstart/verify.mjs`]],
  ['python', 'verify.py', ['python3', `${root}docs/quickstart/verify.py`]],
  ['rust', 'verify.rs', [process.env.CROSSVAT_RUST_QUICKSTART!]],
];

test('a newcomer’s first answer, in every language', async ({ page }) => {
  await new Person().enter(page);
  await page.goto('/portal/keys/new');
  await page.getByLabel('Name').fill('Quickstart');
  await page.getByLabel('Test').check();
  await page.getByRole('button', { name: 'Create the key' }).click();
  const key = (await page.locator('#secret').innerText()).replaceAll(/\s/g, '');
  page.on('dialog', (dialog) => dialog.accept());

  const run = async ([program, ...args]: string[], given: string) => {
    const env = { PATH: process.env.PATH, CROSSVAT_URL: process.env.CROSSVAT_URL, CROSSVAT_KEY: given };
    return promisify(execFile)(program, args, { env });
  };
  for (const [language, name, start] of PROGRAMS) {
    await page.goto(`/docs/quickstart?language=${language}`);
    expect(await page.locator('#program').textContent(), name).toBe(file(name).trimEnd());

    const { stdout } = await run(start, key);
    if (language === 'curl') {
      const told = JSON.parse(stdout);
      const shown = JSON.parse((await page.locator('#answer').textContent())!);
      for (const result of [...told.results, ...shown.results]) {
        expect(result.timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
        delete result.timestamp;
      }
      expect(told).toEqual(shown);
    } else {
      expect(stdout, name).toBe(file('printed.txt'));
      const refused = await run(start, 'cv_test_nothing').catch((error) => error);
      expect(refused.code, `${name} says when it is refused`).toBeGreaterThan(0);
      expect(refused.stderr).toContain('invalid_key');
    }
  }
});

test('a listing is copied as it stands', async ({ page, context, isMobile }) => {
  test.skip(isMobile, 'the clipboard is the same');
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/docs/quickstart?language=python');
  await takenOver(page);
  await page.locator('figure', { has: page.locator('#program') }).getByRole('button').click();

  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(file('verify.py').trimEnd());
});
