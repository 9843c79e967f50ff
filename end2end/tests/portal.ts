// A company's way in, as its people go it: what the tests of the portal begin with.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { type Page, expect, test } from '@playwright/test';

export const PASSWORD = 'four herons on a wire';

/** Loads the page again until something holds of it, as somebody does who waits and has no script. */
export async function reloadUntil(page: Page, holds: () => Promise<void>) {
  await expect(async () => {
    await page.reload();
    await holds();
  }).toPass();
}

/** The same, until the run on the page is done. */
export async function reloadUntilDone(page: Page) {
  await reloadUntil(page, () => expect(page.locator('#progress')).toContainText('Done', { timeout: 500 }));
}

/** A live key that somebody who is signed in makes. */
export async function makeKey(page: Page, name: string): Promise<string> {
  await page.goto('/portal/keys/new');
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Live').check();
  await page.getByRole('button', { name: 'Create the key' }).click();
  return (await page.locator('#secret').innerText()).replaceAll(/\s/g, '');
}

/** Has what is typed or chosen on the page checked. */
export async function check(page: Page) {
  await page.getByRole('button', { name: /^Check (the|[0-9])/ }).click();
  await expect(page).toHaveURL(/\/portal\/check\/[0-9a-f-]{36}$/);
}

/** Pastes a list of numbers and has it checked. */
export async function checkList(page: Page, numbers: string) {
  await page.goto('/portal/check');
  await page.getByLabel('VAT numbers').fill(numbers);
  // How they are read is shown a moment later and moves the button, which then must not be under a pressed pointer.
  if (test.info().project.use.javaScriptEnabled !== false) await expect(page.locator('#readings-head')).not.toBeEmpty();
  await check(page);
}

/** The same, to its end. The path of the run. */
export async function runList(page: Page, numbers: string): Promise<string> {
  await checkList(page, numbers);
  await reloadUntilDone(page);
  return new URL(page.url()).pathname;
}

/** Somebody who has an account, or is about to. */
export class Person {
  readonly email: string;
  readonly company: string;

  /** What follows the name of the company tells it from every other. */
  constructor(
    readonly name = 'Tomasz Wilk',
    company = 'Fenwick Marine',
    local = 'tomasz',
  ) {
    const id = randomUUID().slice(0, 8);
    this.email = `${local}.${id}@fenwick.example`;
    this.company = `${company} ${id}`;
  }

  /** The link in the newest letter to this person whose name says what it is about. */
  async link(kind: string): Promise<string> {
    return Person.linkTo(this.email, kind);
  }

  /** The same, to any address. */
  static async linkTo(email: string, kind: string): Promise<string> {
    const folder = process.env.CROSSVAT_MAIL!;
    let link: string | undefined;
    await expect(async () => {
      const letters = readdirSync(folder).filter((name) => name.includes(kind)).sort().reverse();
      for (const letter of letters) {
        const text = readFileSync(join(folder, letter), 'utf8').replaceAll('=\r\n', '');
        if (text.includes(email)) link ??= /https?:\/\/\S+/.exec(text)?.[0];
      }
      expect(link).toBeDefined();
    }).toPass();
    return new URL(link!).pathname;
  }

  async signUp(page: Page) {
    await page.goto('/sign-up');
    await this.fillSignUp(page);
    await page.getByRole('button', { name: /Open an account|Ask for early access/ }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Confirm your address');
  }

  /** What everybody who signs up has to say. */
  async fillSignUp(page: Page) {
    await page.getByLabel('Your name').fill(this.name);
    await page.getByLabel('Work email address').fill(this.email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByLabel('Company').fill(this.company);
    await page.getByLabel('What will you check, and when?').fill('Customers’ numbers at checkout');
    await page.getByLabel('Up to 10,000').check();
  }

  async confirm(page: Page) {
    await page.goto(await this.link('confirm-address'));
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Confirm and sign in' }).click();
    await expect(page).toHaveURL('/portal');
  }

  async signIn(page: Page, password = PASSWORD) {
    await page.goto('/sign-in');
    await page.getByLabel('Work email address').fill(this.email);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
  }

  /** All of it. */
  async enter(page: Page) {
    await this.signUp(page);
    await this.confirm(page);
  }
}
