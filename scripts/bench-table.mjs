// What the benchmarks said, as tables.
//   node scripts/bench-table.mjs <file of figures>    prints them, and puts them into docs/performance.md and README.md
//
// A line of the file is what benches/support/figures.rs writes: a figure beside its goal, a row of another table, or what is
// to be known of the machine.

import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const GOALS = 14;
// Not measured, but held by a test that kills the server.
const TESTED = {
  goal: 14,
  about: '`kill -9` at full load',
  part: 'queued counts lost',
  aim: '≤ 10 ms and one commit, none twice',
  floor: 'exact',
  measured: '`tests/it/crash.rs`',
  verdict: 'a test',
  beside: 'twenty kills in each run of `make test`',
};
// The worst last.
const VERDICTS = ['a test', 'met', 'not judged', 'not measured', 'missed', 'floor missed'];

/** The lines of a file, sorted by what they are. */
export function read(text) {
  const said = { figures: [], tables: new Map(), machine: [] };
  for (const line of text.split('\n').filter(Boolean)) {
    const { machine, table, cells, ...figure } = JSON.parse(line);
    if (machine) said.machine.push(machine);
    else if (table) said.tables.set(table, [...(said.tables.get(table) ?? []), cells]);
    else said.figures.push(figure);
  }
  return said;
}

/** The figures of each goal, in the order of the goals, those of none at the end. A goal without figures is told as such. */
function byGoal(figures) {
  const groups = Array.from({ length: GOALS }, (_, place) => figures.filter(({ goal }) => goal === place + 1));
  groups[TESTED.goal - 1].push(TESTED);
  groups.forEach((group, place) => {
    if (group.length > 0) return;
    group.push({ goal: place + 1, about: '', part: '', aim: '', floor: '', measured: '', verdict: 'not measured', beside: '' });
  });
  return [...groups, ...figures.filter(({ goal }) => goal === null).map((figure) => [{ ...figure, about: '' }])];
}

function markdown(columns, rows) {
  const line = (cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(columns), line(columns.map(() => '---')), ...rows.map(line)].join('\n');
}

const number = ({ goal }) => (goal === null ? '' : String(goal));

/** A row for each figure. */
export function full(figures) {
  const rows = byGoal(figures).flatMap((group) =>
    group.map((figure) => {
      const what = [figure.about, figure.part].filter(Boolean).join(': ');
      return [number(figure), what, figure.aim, figure.floor, figure.measured, emphasised(figure.verdict), figure.beside];
    }),
  );
  return markdown(['', 'what', 'goal', 'floor', 'measured', 'verdict', 'made of, or beside'], rows);
}

/** A row for each goal, with all its figures; its verdict is that of the worst. */
export function short(figures) {
  const rows = byGoal(figures).filter(([{ goal }]) => goal !== null).map((group) => {
    const said = group.map(({ part, measured, aim }) => `${part && `${part}: `}${measured}${aim && ` (${aim})`}`);
    return [number(group[0]), group[0].about, said.join('<br>'), emphasised(worst(group))];
  });
  return markdown(['', 'what', 'measured (goal)', 'verdict'], rows);
}

function worst(group) {
  return group.map(({ verdict }) => verdict).reduce((one, other) => (VERDICTS.indexOf(other) > VERDICTS.indexOf(one) ? other : one));
}

const emphasised = (verdict) => (verdict.endsWith('missed') || verdict === 'not measured' ? `**${verdict}**` : verdict);

/** The tables beside the goals, each under its name. */
export function others(tables) {
  return [...tables].map(([name, rows]) => {
    const columns = rows[0].map(([column]) => column);
    return `${name}:\n\n${markdown(columns, rows.map((cells) => cells.map(([, cell]) => cell)))}`;
  }).join('\n\n');
}

/** Where and when, and how far it can be trusted. `cpuinfo` is the file of that name (proc(5)). */
export function where({ figures, machine }, cpuinfo, date) {
  const [cores, model] = [cpuinfo.match(/^processor\s*:/gm)?.length, cpuinfo.match(/^model name\s*: (.+)$/m)?.[1]];
  const megahertz = Number(cpuinfo.match(/^cpu MHz\s*: ([\d.]+)$/m)?.[1]);
  const clock = megahertz ? `${(megahertz / 1000).toFixed(1)} GHz` : 'of unknown clock speed';
  const has = [`${cores} cores (${[model, clock].filter(Boolean).join(', ')})`, ...machine].join('; ');
  const disturbed = figures.some(({ verdict }) => verdict === 'not judged')
    ? ' Other programs used its processor meanwhile: figures that are not judged tell of them too, and so do those of the libraries.'
    : '';
  return `Measured on ${date} by \`make bench\` on a machine with ${has}. Only ratios travel to another.${disturbed}`;
}

/** What is to be said plainly at the end. */
export function conclusion(figures) {
  const of = (verdict) => byGoal(figures).flat().filter((figure) => figure.verdict === verdict);
  const name = ({ goal, about, part }) => [goal, about, part].filter(Boolean).join(', ');
  const lines = [
    ...of('floor missed').map((figure) => `BELOW THE FLOOR, which is a defect: ${name(figure)}`),
    ...of('missed').map((figure) => `goal missed, floor held: ${name(figure)}`),
    ...of('not measured').map((figure) => `not measured: ${name(figure)}`),
  ];
  const disturbed = of('not judged').length;
  if (disturbed > 0) lines.push(`${disturbed} figures are not judged, for other programs used the processor`);
  return lines.length > 0 ? lines.join('\n') : 'every goal is met';
}

/** `text` with `content` between its two markers. */
export function between(text, content) {
  const [begins, ends] = ['<!-- make bench -->\n', '\n<!-- end of make bench -->'];
  const [from, to] = [text.indexOf(begins), text.indexOf(ends)];
  if (from < 0 || to < from) throw new Error('the markers of `make bench` are missing');
  return text.slice(0, from + begins.length) + content + text.slice(to);
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const said = read(readFileSync(process.argv[2], 'utf8'));
  const { figures, tables } = said;
  const measured = where(said, readFileSync('/proc/cpuinfo', 'utf8'), new Date().toISOString().slice(0, 10));
  const put = (file, content) => writeFileSync(file, between(readFileSync(file, 'utf8'), content));
  put('docs/performance.md', [measured, full(figures), others(tables)].join('\n\n'));
  put('README.md', [measured, short(figures), others(tables)].join('\n\n'));
  console.log(`\n${[measured, full(figures), others(tables)].join('\n\n')}\n\n${conclusion(figures)}`);
}
