// What jsvat makes of the published numbers without asking anybody, and how long it takes: a line of JSON.
//   node read.mjs <table of numbers>

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const { checkVAT, countries } = createRequire(import.meta.url)('jsvat');
const { version } = createRequire(import.meta.url)('jsvat/package.json');

const ROUNDS = 21;
const READINGS_A_ROUND = 100;

const [, ...lines] = readFileSync(process.argv[2], 'utf8').trim().split('\n');
const rows = lines.map((line) => line.split(',')).map(([number, prefix, , expected]) => ({ number, prefix, expected }));
// As its documentation says, only the countries that are wanted: fewer to look through.
const wanted = new Set(rows.map(({ prefix }) => (prefix === 'EL' ? 'GR' : prefix)));
const chosen = countries.filter(({ codes }) => wanted.has(codes[0]));

const isGood = (number) => checkVAT(number, chosen).isValid;
const right = rows.filter(({ number, expected }) => isGood(number) === (expected === 'pass')).length;

const rounds = [];
for (let round = 0; round < ROUNDS; round += 1) {
  const started = process.hrtime.bigint();
  for (let reading = 0; reading < READINGS_A_ROUND; reading += 1) for (const { number } of rows) isGood(number);
  rounds.push(Number(process.hrtime.bigint() - started) / (READINGS_A_ROUND * rows.length));
}
rounds.sort((one, other) => one - other);
console.log(JSON.stringify({ library: `jsvat ${version}`, nanoseconds: rounds[ROUNDS >> 1], right }));
