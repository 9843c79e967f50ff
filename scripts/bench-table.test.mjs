// The tables of the benchmarks, from lines as benches/support/figures.rs writes them.

import assert from 'node:assert/strict';
import test from 'node:test';

import { between, conclusion, full, others, read, short, where } from './bench-table.mjs';

const figure = (goal, part, verdict, measured = '0.62 of bare') => ({
  goal, about: `what ${goal} is about`, part, aim: '≥ 0.60 of bare', floor: '0.40', measured, verdict, beside: '6 beside 10',
});
const lines = (...values) => values.map((value) => JSON.stringify(value)).join('\n');
const rows = (table) => table.split('\n').slice(2);

test('lines are sorted by what they are', () => {
  const said = read(lines(
    figure(1, '', 'met'),
    { table: 'readers', cells: [['who', 'one'], ['ns', '7']] },
    { machine: 'a slow disk' },
    { table: 'readers', cells: [['who', 'two'], ['ns', '8']] },
  ));
  assert.deepEqual(said.figures, [figure(1, '', 'met')]);
  assert.deepEqual(said.machine, ['a slow disk']);
  assert.equal(others(said.tables), 'readers:\n\n| who | ns |\n| --- | --- |\n| one | 7 |\n| two | 8 |');
});

test('every goal has a row, measured or not, in its order', () => {
  const found = rows(full([figure(2, 'p99', 'met'), figure(1, '', 'missed'), { ...figure(null, 'a page', 'met'), about: null }]));
  assert.equal(found.length, 15);
  assert.equal(found[0], '| 1 | what 1 is about | ≥ 0.60 of bare | 0.40 | 0.62 of bare | **missed** | 6 beside 10 |');
  assert.equal(found[1], '| 2 | what 2 is about: p99 | ≥ 0.60 of bare | 0.40 | 0.62 of bare | met | 6 beside 10 |');
  assert.match(found[2], /^\| 3 \|.*\*\*not measured\*\*/);
  assert.match(found[13], /^\| 14 \|.*`tests\/it\/crash\.rs` \| a test \|/);
  assert.match(found[14], /^\| {2}\| a page \|/);
});

test('a goal is as good as its worst figure', () => {
  const verdict = (...verdicts) => rows(short(verdicts.map((one) => figure(1, one, one))))[0].split(' | ').at(-1);
  assert.equal(verdict('met', 'met'), 'met |');
  assert.equal(verdict('met', 'not judged'), 'not judged |');
  assert.equal(verdict('missed', 'not judged', 'met'), '**missed** |');
  assert.equal(verdict('floor missed', 'missed'), '**floor missed** |');
});

test('the short table has a row for each goal, and none for what is beyond the goals', () => {
  const found = rows(short([figure(3, 'p50', 'met', '1.2'), figure(3, 'p99', 'met', '9.0'), figure(null, 'a page', 'met')]));
  assert.equal(found.length, 14);
  assert.equal(found[2], '| 3 | what 3 is about | p50: 1.2 (≥ 0.60 of bare)<br>p99: 9.0 (≥ 0.60 of bare) | met |');
});

test('a missed floor is said plainly', () => {
  const all = Array.from({ length: 13 }, (_, place) => figure(place + 1, '', 'met'));
  assert.equal(conclusion(all), 'every goal is met');
  const page = { ...figure(null, 'a page', 'missed'), about: null };
  const said = conclusion([...all, figure(3, 'p99', 'floor missed'), page, figure(4, '', 'not judged')]).split('\n');
  assert.deepEqual(said, [
    'BELOW THE FLOOR, which is a defect: 3, what 3 is about, p99',
    'goal missed, floor held: a page',
    '1 figures are not judged, for other programs used the processor',
  ]);
});

test('only what is between the markers is written anew', () => {
  const text = 'before\n<!-- make bench -->\nold\n<!-- end of make bench -->\nafter\n';
  assert.equal(between(text, 'new'), 'before\n<!-- make bench -->\nnew\n<!-- end of make bench -->\nafter\n');
  assert.equal(between(between(text, 'new'), 'old'), text);
  assert.throws(() => between('no markers', 'new'), /markers/);
});

test('the machine is told by its cores, its clock and its disk', () => {
  const core = 'processor\t: 0\nmodel name\t: Some Processor\ncpu MHz\t\t: 2200.000\n\n';
  const sentence = 'Measured on 2026-11-28 by `make bench` on a machine with 2 cores (Some Processor, 2.2 GHz); a slow disk. Only ratios travel to another.';
  const said = (verdict) => where({ figures: [figure(1, '', verdict)], machine: ['a slow disk'] }, core + core, '2026-11-28');
  assert.equal(said('missed'), sentence);
  assert.match(said('not judged'), /another\. Other programs used its processor meanwhile/);
  assert.match(where({ figures: [], machine: [] }, 'processor : 0\n', '2026-11-28'), /1 cores \(of unknown clock speed\)\. Only/);
});
