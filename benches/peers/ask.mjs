// Asks VIES about numbers with validate-vat, each number once: a line of JSON with how many it got a verdict on.
//   node ask.mjs validate-vat <address of the host> <how many at once> <file with a number a line>
//
// The library knows one address, over TLS, and opens a connection for each call. Here its connections lead to another host
// and are spared TLS; nothing of the library itself is changed.

import { readFileSync } from 'node:fs';
import https from 'node:https';
import net from 'node:net';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const [library, host, atOnce, file] = process.argv.slice(2);
const { hostname, port } = new URL(host);
https.globalAgent.createConnection = () => net.connect({ host: hostname, port });

const validate = require(library);
const { version } = require(`${library}/package.json`);

const hasVerdict = (number) =>
  new Promise((resolve) => {
    validate(number.slice(0, 2), number.slice(2), (error, answer) => resolve(!error && typeof answer.valid === 'boolean'));
  });

const waiting = readFileSync(file, 'utf8').trim().split('\n');
// Asked first and not counted: what is loaded once is loaded then.
if (!(await hasVerdict('ATU13585627'))) throw new Error(`${library} gets no verdict at all`);
let answered = 0;
const started = performance.now();
const askers = Array.from({ length: Number(atOnce) }, async () => {
  for (let number = waiting.shift(); number; number = waiting.shift()) {
    if (await hasVerdict(number)) answered += 1;
  }
});
await Promise.all(askers);
console.log(JSON.stringify({ library: `${library} ${version}`, seconds: (performance.now() - started) / 1000, answered }));
