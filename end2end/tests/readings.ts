// Numbers as people type them, and what the page must say of each. The same for every way of getting there.

export type Case = {
  submitted: string;
  /** What the plate shows without its gaps, or null where no number could be read. */
  plate: string | null;
  status: string;
  asked: RegExp;
  said: RegExp;
};

export const READINGS: Case[] = [
  {
    submitted: 'nl 0044.95.445.B01',
    plate: 'NL004495445B01',
    status: 'Not asked',
    asked: /^VIES/,
    said: /Read as NL004495445B01/,
  },
  {
    submitted: 'GR094259216',
    plate: 'EL094259216',
    status: 'Not asked',
    asked: /^VIES/,
    said: /Read as EL094259216/,
  },
  {
    submitted: 'GB123456789',
    plate: 'GB123456789',
    status: 'Not asked',
    asked: /^HMRC/,
    said: /Read as GB123456789/,
  },
  {
    submitted: 'AT57194903',
    plate: null,
    status: 'Malformed',
    asked: /^Nobody/,
    said: /prefix AT \(Austria\)/,
  },
  {
    submitted: '136695976',
    plate: null,
    status: 'Malformed',
    asked: /^Nobody/,
    said: /no country in front/,
  },
  {
    submitted: 'CHE-116.281.710 MWST',
    plate: null,
    status: 'Unsupported',
    asked: /^Nobody/,
    said: /begin with CH/,
  },
];
