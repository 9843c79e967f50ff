// Two things that a cluster must hold: one limit over all instances, and no call lost when one of them is killed.
// Called by demo-cluster.sh --try with the proxy's address, a key with 100 calls a minute, a key with many, and the process
// to kill.

import { setTimeout as pause } from 'node:timers/promises';

const [proxy, limited, loaded, victim] = process.argv.slice(2);
const NUMBERS = ['FR40303265045', 'DE136695976', 'EL094259216', 'XI980780684'];

async function call(key, vatNumbers) {
  const answer = await fetch(`${proxy}/v1/verify-vat`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ vatNumbers }),
  });
  return { status: answer.status, body: await answer.json() };
}

/** How often each of some words was said. */
function tally(words) {
  const counts = {};
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
}

function demand(holds, what) {
  if (!holds) {
    console.error(`try-cluster: ${what}`);
    process.exit(1);
  }
}

// What was asked once is answered by both instances without a registry.
demand((await call(loaded, NUMBERS)).status === 200, 'the first call is not answered');

const statuses = tally(
  await Promise.all(Array.from({ length: 150 }, async () => (await call(limited, ['ZZ1'])).status)),
);
console.log('150 calls at once over two instances, 100 a minute allowed:', statuses);
demand(statuses[200] === 100 && statuses[429] === 50, 'the limit is not one for both');

const seen = [];
let stop = false;
const callers = Array.from({ length: 8 }, async (_, place) => {
  while (!stop) {
    try {
      const { status, body } = await call(loaded, [NUMBERS[place % NUMBERS.length]]);
      seen.push(status === 200 && body.results[0].valid === true ? 'answered' : `status ${status}`);
    } catch (error) {
      seen.push(`no answer: ${error.cause?.code ?? error.message}`);
    }
  }
});
await pause(3000);
const before = seen.length;
process.kill(Number(victim), 'SIGKILL');
await pause(6000);
stop = true;
await Promise.all(callers);
const outcomes = tally(seen);
console.log(`${before} calls until an instance was killed, ${seen.length - before} from then on:`, outcomes);
demand(before > 50 && seen.length - before > 50, 'too few calls to say anything');
demand(outcomes.answered === seen.length, 'a call was lost');
