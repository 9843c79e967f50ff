// Photographs every page at two widths in both themes into end2end/shots, to be looked at by a person.

import { chromium } from '@playwright/test';
import { execFileSync } from 'node:child_process';
import { createHmac, randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { baseURL, launchOptions } from './chromium.mjs';

const shots = fileURLToPath(new URL('shots/', import.meta.url));
const pages = {
  'start': '/',
  'start-malformed': '/?number=AT57194903',
  'start-slip': '/?number=GB123456789',
  'start-unsupported': '/?number=CHE-116.281.710%20MWST',
  'start-empty': '/?number=',
  'start-try-outage': '/?try=FR20999993017',
  'docs': '/docs',
  'quickstart': '/docs/quickstart?language=python',
  'reference': '/docs/reference',
  'reference-find': '/docs/reference?find=consultation',
  'sandbox': '/docs/sandbox',
  'error-codes': '/docs/errors',
  'reverse-charge': '/docs/reverse-charge',
  'outages': '/docs/outages',
  'limits': '/docs/limits',
  'data': '/docs/data',
  'running-it': '/docs/running-it',
  'not-found': '/no-such-page',
  'status-empty': '/status',
  'sign-in': '/sign-in',
  'sign-up': '/sign-up',
  'forgot-password': '/forgot-password',
};

const members = {
  'portal': '/portal',
  'history': '/portal/history',
  'usage': '/portal/usage',
  'settings': '/portal/settings',
  'settings-second-factor': '/portal/settings/second-factor',
  'members': '/portal/settings/members',
};

/** The newest link in a letter to `email`. */
async function linkTo(email) {
  for (;;) {
    for (const letter of readdirSync(process.env.CROSSVAT_MAIL).sort().reverse()) {
      const text = readFileSync(join(process.env.CROSSVAT_MAIL, letter), 'utf8').replaceAll('=\r\n', '');
      const link = text.includes(email) && /https?:\/\/\S+/.exec(text)?.[0];
      if (link) return new URL(link).pathname;
    }
    await new Promise((done) => setTimeout(done, 100));
  }
}

/** Calls of programs: one that is answered, one that Poland does not answer, one that is no call. */
async function callWith(keys) {
  const poland = `${process.env.CROSSVAT_SIMULATOR}/control/vies/PL`;
  await fetch(poland, { method: 'PUT', body: JSON.stringify({ condition: 'down' }) });
  const call = (name, body) => fetch(new URL('/v1/verify-vat', baseURL), {
    method: 'POST',
    headers: { authorization: `Bearer ${keys[name]}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  await call('Checkout', { vatNumbers: ['GB980780684', 'DE136695976', 'FR40303265045', 'IE6388047V', 'XI980780684'] });
  await call('Checkout', { vatNumbers: ['PL8567346215'] });
  await call('Nightly supplier list', { maxAgeSecond: 60, vatNumbers: ['GB980780684'] });
}

/** What only somebody who is signed in sees. `shoot` takes the picture of what is shown. */
async function portal(page, shoot) {
  const id = randomUUID().slice(0, 8);
  const email = `tomasz.${id}@fenwick.example`;
  const password = 'four herons on a wire';
  const press = (name) => page.getByRole('button', { name }).click();

  await page.goto('/sign-up');
  await page.getByLabel('Your name').fill('Tomasz Wilk');
  await page.getByLabel('Work email address').fill('tomasz.wilk');
  await page.getByLabel('Password').fill('herons12');
  await page.getByLabel('Company').fill(`Fenwick Marine Supplies ${id}`);
  await page.getByLabel('Up to 10,000').check();
  await press(/Open an account|Ask for early access/);
  await shoot('sign-up-errors');
  await page.getByLabel('Work email address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByLabel('What will you check, and when?').fill('Customers’ numbers at checkout');
  await press(/Open an account|Ask for early access/);
  await shoot('sign-up-sent');
  await page.goto(await linkTo(email));
  await shoot('confirm-email');
  await page.getByLabel('Password').fill(password);
  await press('Confirm and sign in');
  await shoot('portal-first');
  await page.goto('/portal/keys');
  await shoot('keys-empty');
  await page.goto('/portal/keys/new');
  await page.getByLabel('Expires on (optional)').fill('2020-01-01');
  await press('Create the key');
  await shoot('key-create-errors');
  const keys = {};
  for (const name of ['Nightly supplier list', 'Checkout']) {
    await page.goto('/portal/keys/new');
    await page.getByLabel('Name').fill(name);
    await page.getByLabel('Live').check();
    await press('Create the key');
    await shoot('key-revealed-once');
    keys[name] = /Bearer ([^"]+)/.exec(await page.locator('#command').innerText())[1];
    await page.getByLabel('I have put the key where I will find it again').check();
    await press('Done');
  }
  await page.goto('/portal');
  await shoot('portal-try-key');
  await callWith(keys);
  await page.goto('/portal/keys');
  await page.getByRole('link', { name: /^Rotate Checkout/ }).click();
  await shoot('key-rotate');
  await press('Make the new key');
  await page.getByLabel('I have put the key where I will find it again').check();
  await press('Done');
  await page.getByRole('link', { name: /^Revoke Nightly/ }).click();
  await shoot('key-revoke');
  await page.getByLabel('Type the name of the key to revoke it').fill('Nightly supplier list');
  await press('Revoke the key');
  await shoot('keys');
  await page.goto('/portal/check');
  await shoot('check');
  await page.getByLabel('VAT numbers').fill('DE136695976\nGB980780684\nnl 0044.95.445.B01\nAT57194903\nIE6388047V\nFR40303265045\nCHE-116.281.710 MWST\nGR094259216\nPL8567346215');
  await shoot('check-typing');
  await press(/^Check /);
  await page.waitForURL(/check\/[0-9a-f-]{36}/);
  await page.getByText('Done.').waitFor();
  await shoot('check-done');
  await page.getByRole('link', { name: /^With advice/ }).click();
  await shoot('check-advice');
  for (const [name, address] of Object.entries(members)) {
    await page.goto(address);
    await shoot(name);
  }
  await page.goto('/portal/history');
  await page.locator('table a[href^="/portal/history/"]').first().click();
  await shoot('evidence');
}

/** What somebody sees who has to ask support for keys: until it has answered. */
async function asker(page, shoot) {
  const id = randomUUID().slice(0, 8);
  const email = `signe.${id}@oresund-${id}.example`;
  const password = 'four herons on a wire';
  const early = (path) => new URL(path, process.env.CROSSVAT_EARLY_ACCESS_URL).href;

  await page.goto(early('/sign-up'));
  await page.getByLabel('Your name').fill('Signe Holm');
  await page.getByLabel('Work email address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByLabel('Company').fill(`Øresund Bådudstyr ${id}`);
  await page.getByLabel('Its own VAT number (optional)').fill('DK13585628');
  await page.getByLabel('What will you check, and when?').fill('We sell boat equipment to dealers in Sweden, Germany and Poland. Our ERP should check each dealer’s number before the nightly invoice run.');
  await page.getByLabel('Up to 10,000').check();
  await shoot('sign-up-early-access');
  await page.getByRole('button', { name: 'Ask for early access' }).click();
  await page.goto(early(await linkTo(email)));
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Confirm and sign in' }).click();
  await shoot('portal-waiting');
  await page.goto(early('/portal/keys'));
  await shoot('keys-waiting');
  await page.goto(early('/portal/keys/request'));
  await shoot('key-request');
}

/** What support sees of the registries and everybody of their state: Poland does not answer, and HMRC is asked nothing by hand. */
async function registries(page, shoot) {
  const press = (name) => page.getByRole('button', { name }).click();
  await page.goto('/status');
  await shoot('status');
  await page.goto('/staff/registries');
  await shoot('staff-registries');
  await page.goto('/staff/registries/HMRC/open');
  await shoot('staff-open-breaker');
  await press('Open the breaker');
  await shoot('staff-open-breaker-errors');
  await page.getByLabel('Reason').fill('HMRC has announced maintenance from 09:30 to 11:00');
  await press('Open the breaker');
  await shoot('staff-registries-held');
  await page.goto('/staff/registries?show=all');
  await page.locator('details summary', { hasText: 'What was sent' }).first().click();
  await shoot('staff-registries-all');
  await page.goto('/status');
  await shoot('status-held');
  await page.goto('/staff/registries/HMRC/close');
  await shoot('staff-close-breaker');
  await press('Close the breaker');
}

/** What support sees of requests, accounts and deeds. `page` is signed in. */
async function support(page, shoot) {
  const id = randomUUID().slice(0, 8);
  const email = `dev@pennine-${id}.example`;
  await page.goto('/staff');
  await shoot('staff-requests');
  await page.goto('/staff/issue');
  await page.getByLabel('Company').fill(`Pennine Winches ${id}`);
  await page.getByLabel('Contact’s name').fill('Dev Malik');
  await page.getByLabel('Contact’s work email address').fill(email);
  await page.getByLabel('Name', { exact: true }).fill('ERP, Leeds');
  await page.getByRole('button', { name: 'Send the claim link' }).click();
  await shoot('staff-issue');
  await page.goto('/staff/accounts');
  await shoot('staff-accounts');
  await page.locator('table a[href^="/staff/accounts/"]').first().click();
  await shoot('staff-account');
  const account = new URL(page.url()).pathname;
  for (const part of ['plan', 'suspend', 'issue']) {
    await page.goto(`${account}/${part}`);
    await shoot(`staff-account-${part}`);
  }
  await registries(page, shoot);
  await page.goto('/staff/audit');
  await shoot('staff-audit');
  return linkTo(email);
}

/** The codes of an app for the secret on the page (RFC 6238): each one is of later 30 seconds than the one before. */
async function appOn(page) {
  const letters = (await page.locator('.secret-text').innerText()).replaceAll(/\s/g, '');
  const digits = [...letters].map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'));
  const key = Buffer.from(digits.join('').match(/.{8}/g).map((byte) => Number.parseInt(byte, 2)));
  let last = 0;
  return () => {
    last = Math.max(last + 1, Math.floor(Date.now() / 30_000));
    const counter = Buffer.alloc(8);
    counter.writeBigUInt64BE(BigInt(last));
    const hash = createHmac('sha1', key).update(counter).digest();
    return String((hash.readUInt32BE(hash[19] & 15) & 0x7fffffff) % 1_000_000).padStart(6, '0');
  };
}

/** What support staff see, and what they come in by. */
async function staff(page, shoot) {
  const email = `sam.${randomUUID().slice(0, 8)}@crossvat.example`;
  const password = 'four herons on a wire';
  const press = (name) => page.getByRole('button', { name }).click();
  const words = ['create-staff', '--email', email, '--name', 'Sam Smith'];
  execFileSync(process.env.CROSSVAT_PROGRAM, words, { input: `${password}\n` });
  const typePassword = async () => {
    await page.goto('/staff/sign-in');
    await page.getByLabel('Work email address').fill(email);
    await page.getByLabel('Password').fill(password);
    await press('Sign in');
  };

  await page.goto('/staff/sign-in');
  await shoot('staff-sign-in');
  await typePassword();
  await shoot('staff-second-factor');
  const code = await appOn(page);
  await page.getByLabel('Code from your app').fill('000000');
  await press('Set it up');
  await shoot('staff-second-factor-errors');
  await page.getByLabel('Code from your app').fill(code());
  await press('Set it up');
  await shoot('recovery-codes');
  const claim = await support(page, shoot);
  await page.goto('/staff/team');
  await page.getByLabel('Work email address').fill(`kim.${email}`);
  await page.getByLabel('Name', { exact: true }).fill('Kim Lund');
  await press('Send the invitation');
  await shoot('staff-team');
  await page.getByRole('link', { name: 'Change Kim Lund' }).first().click();
  await shoot('staff-team-person');
  await page.getByRole('link', { name: 'End the access of Kim Lund' }).click();
  await shoot('staff-team-disable');
  await page.goto('/staff/security');
  await shoot('staff-security');
  await page.locator('.person-menu summary').click();
  await press('Sign out');
  await typePassword();
  await shoot('staff-sign-in-code');
  await page.context().clearCookies();
  await page.goto(claim);
  await shoot('claim');
}

mkdirSync(shots, { recursive: true });
const browser = await chromium.launch(launchOptions);
let client = 0;
for (const colorScheme of ['light', 'dark']) {
  for (const width of [1280, 390]) {
    client += 1;
    const extraHTTPHeaders = { 'x-forwarded-for': `192.0.2.${client}` };
    const context = await browser.newContext({ baseURL, colorScheme, viewport: { width, height: 900 }, extraHTTPHeaders });
    const page = await context.newPage();
    page.on('dialog', (dialog) => dialog.accept());
    const shoot = async (name) => {
      await page.waitForLoadState('networkidle');
      await page.screenshot({ path: `${shots}${name}-${width}-${colorScheme}.png`, fullPage: true });
    };
    for (const [name, address] of Object.entries(pages)) {
      await page.goto(address);
      await shoot(name);
    }
    await portal(page, shoot);
    await page.context().clearCookies();
    await asker(page, shoot);
    await page.context().clearCookies();
    await staff(page, shoot);
    await context.close();
  }
}
await browser.close();
