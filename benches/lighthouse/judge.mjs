// What Lighthouse says of the pages, on a telephone over a slow line and on a desk. Called by scripts/lighthouse.sh with a
// service to look at and somebody who may sign in. Prints a table; fails when a mark is below the least that is wanted.

import lighthouse, { desktopConfig } from 'lighthouse';
import puppeteer from 'puppeteer-core';
import { baseURL, launchOptions } from '../../end2end/chromium.mjs';

const PAGES = ['/', '/docs', '/portal', '/portal/check'];
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'];
/** The least mark of a hundred. */
const WANTED = 95;
/** Members' pages are no search engine's business, and say so. */
const judged = (path) => (path.startsWith('/portal') ? CATEGORIES.filter((category) => category !== 'seo') : CATEGORIES);

const browser = await puppeteer.launch(launchOptions);
const page = await browser.newPage();
await page.goto(new URL('/sign-in', baseURL).href);
await page.type('input[name=email]', process.env.CROSSVAT_EMAIL);
await page.type('input[name=password]', process.env.CROSSVAT_PASSWORD);
await Promise.all([page.waitForNavigation(), page.click('main button[type=submit]')]);

const failings = [];
console.log(`| page | on | ${CATEGORIES.join(' | ')} | first paint | largest paint | blocked | shift | bytes |`);
console.log(`| --- | --- |${' ---: |'.repeat(CATEGORIES.length + 5)}`);
for (const path of PAGES) {
  for (const [on, config] of [['telephone', undefined], ['desk', desktopConfig]]) {
    const flags = { onlyCategories: judged(path), disableStorageReset: true, logLevel: 'error' };
    const { lhr } = await lighthouse(new URL(path, baseURL).href, flags, config, page);
    if (lhr.runtimeError) throw new Error(`${path}: ${lhr.runtimeError.message}`);
    if (new URL(lhr.finalDisplayedUrl).pathname !== path) throw new Error(`${path} leads to ${lhr.finalDisplayedUrl}`);
    const marks = CATEGORIES.map((category) => lhr.categories[category] && Math.round(lhr.categories[category].score * 100));
    const shown = (audit) => lhr.audits[audit].displayValue.replaceAll('\u00a0', ' ');
    const weight = `${Math.round(lhr.audits['total-byte-weight'].numericValue / 1000)} kB`;
    const facts = ['first-contentful-paint', 'largest-contentful-paint', 'total-blocking-time', 'cumulative-layout-shift'].map(shown);
    console.log(`| ${[path, on, ...marks.map((mark) => mark ?? '–'), ...facts, weight].join(' | ')} |`);
    if (marks.some((mark) => mark !== undefined && mark < WANTED)) failings.push(`${path} on a ${on}`);
    for (const [id, audit] of Object.entries(lhr.audits)) {
      const counts = Object.values(lhr.categories).some((category) => category.auditRefs.some((ref) => ref.id === id && ref.weight > 0));
      if (counts && audit.score !== null && audit.score < 0.9) console.error(`${path} on a ${on}: ${id} ${audit.score}: ${audit.title} ${audit.displayValue ?? ''}`);
    }
  }
}
await browser.close();
if (failings.length > 0) {
  console.error(`below ${WANTED}: ${failings.join(', ')}`);
  process.exitCode = 1;
}
