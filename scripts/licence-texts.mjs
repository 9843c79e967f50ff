// The texts of licences as crates bring them, each once with the crates it stands for. Plain Node without packages.
//   cargo metadata … | node licence-texts.mjs <file with lines `name version`>

import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

const wanted = new Set(readFileSync(process.argv[2], 'utf8').trim().split('\n'));
const { packages } = JSON.parse(readFileSync(0, 'utf8'));
const crates = packages.filter(({ name, version }) => wanted.has(`${name} ${version}`));

/** Text, and the crates that bring it. */
const texts = new Map();
const without = [];
for (const { name, version, license, manifest_path: manifest } of crates) {
  const folder = dirname(manifest);
  const files = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && /^(un)?licen[cs]e|^copying|^notice|^copyright/i.test(entry.name))
    .map((entry) => readFileSync(join(folder, entry.name), 'utf8').replace(/\r\n/g, '\n').trim());
  for (const text of files) {
    texts.set(text, [...(texts.get(text) ?? []), `${name} ${version}`]);
  }
  if (files.length === 0) {
    without.push(`${name} ${version}: ${license}`);
  }
}
for (const [text, names] of texts) {
  console.log(`${'='.repeat(80)}\n${names.join('\n')}\n${'-'.repeat(80)}\n${text}\n`);
}
if (without.length > 0) {
  console.log(`${'='.repeat(80)}\nWithout a text of their own, under the licences that they name:\n${without.join('\n')}`);
}
