// Names and addresses without an end, in whatever script, push nothing out of the window: on members' pages and on support's.

import type { Page } from '@playwright/test';
import { checkFits } from './accessible';
import { expect, test } from './fixtures';
import { Person, makeKey, runList } from './portal';
import { Support } from './support';

const WIDTHS = [320, 390, 768, 800, 1280, 1440];
const WORD = 'Maximiliane'.repeat(6).slice(0, 60);
/** 200 characters with what is put behind it: Greek, a word of 60 letters, and one from right to left. */
const COMPANY = `Αφοί Παπαδημητρόπουλος-Κωνσταντινίδης Ναυτιλιακή Ανώνυμος Εταιρεία ${'W'.repeat(60)} شركة التجارة البحرية Lagerhausverwaltung`.padEnd(190, 'x');
const NAME = `شركة ${WORD} Αλέξανδρος`;
const LOCAL = 'alexandros.papadimitropoulos-konstantinidis.accounts';

test.skip(({ isMobile }) => isMobile, 'widths are chosen here');

async function fitEverywhere(page: Page, addresses: string[]) {
  for (const address of addresses) {
    await page.goto(address);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      await checkFits(page);
    }
  }
}

/** What the pages of a list lead to, one of each kind. */
async function linked(page: Page, list: string, links: string): Promise<string[]> {
  await page.goto(list);
  const all = await page.locator(links).evaluateAll((all) => all.map((link) => link.getAttribute('href')!));
  expect(all, list).not.toEqual([]);
  return [...new Map(all.map((address) => [address.split('/').at(-1), address])).values()].slice(0, 4);
}

test('members’ pages hold what is long', async ({ page }) => {
  const person = new Person(NAME, COMPANY, LOCAL);
  expect(person.company.length).toBeGreaterThan(195);
  await person.enter(page);
  await makeKey(page, WORD);
  await page.getByLabel('I have put the key where I will find it again').check();
  await page.getByRole('button', { name: 'Done' }).click();
  const run = await runList(page, `DE136695976\n${'x'.repeat(60)}\nGB980780684`);
  const ofKeys = await linked(page, '/portal/keys', 'main table a');
  const [evidence] = await linked(page, '/portal/history', 'main table a[href^="/portal/history/"]');
  const ofMembers = await linked(page, '/portal/settings/members', 'main table a');
  const more = ['/portal/history', '/portal/usage', '/portal/settings', '/portal/settings/members', '/portal/keys'];
  await fitEverywhere(page, ['/portal', run, evidence!, ...ofKeys, ...ofMembers, ...more]);
});

test('support’s pages hold what is long', async ({ page, elsewhere }) => {
  const person = new Person(NAME, COMPANY, LOCAL);
  const theirs = await elsewhere();
  await person.enter(theirs);
  await makeKey(theirs, WORD);
  await new Support().enter(page);
  await page.goto(`/staff/accounts?find=${encodeURIComponent(person.email)}`);
  const account = (await page.locator('main table a[href^="/staff/accounts/"]').first().getAttribute('href'))!;
  const list = `/staff/accounts?find=${encodeURIComponent(person.email)}`;
  const audit = `/staff/audit?company=${encodeURIComponent(person.company)}`;
  await fitEverywhere(page, [list, account, `${account}/plan`, `${account}/suspend`, `${account}/issue`, audit, '/staff/audit']);
});
