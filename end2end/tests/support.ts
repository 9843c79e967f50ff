// Support staff and what they carry: how one is made, and the codes of an app.

import { execFileSync } from 'node:child_process';
import { createHmac, randomUUID } from 'node:crypto';
import { type Page, expect } from '@playwright/test';
import { PASSWORD } from './portal';

const STEP_SECONDS = 30;
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Where support staff go who were on the way to nowhere in particular. */
export const HOME = '/staff';

/** An app that makes codes of a secret (RFC 6238). */
export class AuthenticatorApp {
  private last = 0;

  constructor(private readonly secret: string) {}

  /** Reads the secret on the page that sets a second factor up. */
  static async reading(page: Page): Promise<AuthenticatorApp> {
    const text = await page.locator('.secret-text').innerText();
    return new AuthenticatorApp(text.replaceAll(/\s/g, ''));
  }

  /** A code that was not used yet. The server takes those of the 30 seconds before and after as well. */
  code(): string {
    const now = Math.floor(Date.now() / 1000 / STEP_SECONDS);
    this.last = Math.max(this.last + 1, now);
    const counter = Buffer.alloc(8);
    counter.writeBigUInt64BE(BigInt(this.last));
    const hash = createHmac('sha1', this.key()).update(counter).digest();
    const value = hash.readUInt32BE(hash[19]! & 15) & 0x7fffffff;
    return String(value % 1_000_000).padStart(6, '0');
  }

  private key(): Buffer {
    const bits = [...this.secret].map((letter) => LETTERS.indexOf(letter).toString(2).padStart(5, '0')).join('');
    const bytes = bits.match(/.{8}/g) ?? [];
    return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)));
  }
}

/** One of the support staff. */
export class Support {
  readonly email = `sam.${randomUUID().slice(0, 8)}@crossvat.example`;
  readonly name = 'Sam Smith';
  app: AuthenticatorApp | undefined;

  /** Made on the command line. */
  create() {
    const words = ['create-staff', '--email', this.email, '--name', this.name];
    execFileSync(process.env.CROSSVAT_PROGRAM!, words, { input: `${PASSWORD}\n` });
  }

  async typePassword(page: Page, password = PASSWORD) {
    await page.goto('/staff/sign-in');
    await page.getByLabel('Work email address').fill(this.email);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
  }

  /** From the page that shows the secret to that with the recovery codes, which it returns. */
  async setUp(page: Page): Promise<string[]> {
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Set up your second factor');
    this.app = await AuthenticatorApp.reading(page);
    await page.getByLabel('Code from your app').fill(this.app.code());
    // Members are asked for it, support staff have just typed it.
    const password = page.getByLabel('Your password');
    if (await password.isVisible()) await password.fill(PASSWORD);
    await page.getByRole('button', { name: 'Set it up' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your second factor is set up');
    const codes = page.locator('.recovery-codes li');
    await expect(codes).toHaveCount(10);
    return codes.allInnerTexts();
  }

  /** All of it: made, signed in, second factor set up. */
  async enter(page: Page) {
    this.create();
    await this.typePassword(page);
    await this.setUp(page);
    await page.getByLabel('I have put the recovery codes where I will find them again').check();
    await page.getByRole('button', { name: 'Go on' }).click();
    // The form that goes there has no field.
    await expect(page).toHaveURL(new RegExp(`${HOME}\\??$`));
  }
}
