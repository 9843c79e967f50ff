/** Every page of the documentation. */
export const DOCUMENTATION = [
  '/docs',
  '/docs/quickstart',
  '/docs/sandbox',
  '/docs/reference',
  '/docs/errors',
  '/docs/try',
  '/docs/limits',
  '/docs/routing',
  '/docs/outages',
  '/docs/check-digits',
  '/docs/age-of-answers',
  '/docs/evidence',
  '/docs/reverse-charge',
  '/docs/keys',
  '/docs/registry-terms',
  '/docs/running-it',
];
