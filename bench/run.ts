/** `npm run bench`: how fast the product is, beside what the machine makes possible in the same run. See bench/README.md. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import { Presets, SingleBar } from 'cli-progress';
import { VERSION } from '../src/config.ts';
import { benchCarriers } from './cases/carriers.ts';
import { benchCreate } from './cases/create.ts';
import { benchGrowth } from './cases/growth.ts';
import { benchHttp } from './cases/http.ts';
import { benchImport } from './cases/import.ts';
import { benchNeighbours } from './cases/neighbours.ts';
import { benchQuotes } from './cases/quotes.ts';
import { benchRoles } from './cases/roles.ts';
import { benchScale } from './cases/scale.ts';
import { benchSearch } from './cases/search.ts';
import { benchSingle } from './cases/single.ts';
import { benchStart } from './cases/start.ts';
import { benchTracking } from './cases/tracking.ts';
import { type Options, percent, type Section } from './section.ts';

const CASES: Readonly<Record<string, (options: Options) => Promise<Section>>> = {
  start: benchStart,
  api: benchHttp,
  create: benchCreate,
  single: benchSingle,
  scale: benchScale,
  roles: benchRoles,
  quotes: benchQuotes,
  tracking: benchTracking,
  import: benchImport,
  carriers: benchCarriers,
  search: benchSearch,
  growth: benchGrowth,
  neighbours: benchNeighbours,
};

const RESULTS = 'bench/results.json';
const REPORT = 'bench/RESULTS.md';
/** A ratio that falls below this part of the recorded one has become worse, whatever the machine does beside it. */
const NOISE = 0.6;

interface Results {
  [name: string]: Section & { facts: Record<string, string> };
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '3' },
    only: { type: 'string', default: '' },
    profile: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    guard: { type: 'boolean', default: false },
    'dry-run': { type: 'boolean', default: false },
  },
});
const unknown = positionals.filter((name) => !Object.hasOwn(CASES, name));
if (unknown.length > 0) {
  console.error(`There is no ${unknown.join(', ')}; there are ${Object.keys(CASES).join(', ')}`);
  process.exit(2);
}

const bar = new SingleBar(
  { format: '{bar} {percentage}% {name}', clearOnComplete: true, noTTYOutput: false },
  Presets.shades_classic,
);
const options: Options = {
  rounds: Number(values.rounds),
  seconds: Number(values.seconds),
  isProfiled: values.profile,
  only: values.only,
  progress: (name, share) => bar.update(share, { name }),
};
const facts = {
  date: new Date().toISOString().slice(0, 10),
  version: `smista ${VERSION}, Node ${process.version}, ${process.env.BENCH_DATABASE_URL ? 'the PostgreSQL given' : 'PostgreSQL 18 embedded, as it comes, with fsync'}`,
  machine: `${cpus().length} × ${cpus()[0]?.model}, ${Math.round(totalmem() / 2 ** 30)} GiB, ${execFileSync('uname', ['-sr']).toString().trim()}`,
};
const results: Results = existsSync(RESULTS) ? (JSON.parse(readFileSync(RESULTS, 'utf8')) as Results) : {};
const measured: Record<string, Section> = {};
for (const name of positionals.length > 0 ? positionals : Object.keys(CASES)) {
  bar.start(1, 0, { name });
  const section = await CASES[name]?.(options);
  bar.stop();
  if (!section) continue;
  measured[name] = section;
  console.log(values.json ? JSON.stringify(section) : `${textOf(section)}\n`);
}
if (values.guard) guard(measured);
// A profiled run is slower than a real one.
else if (!values['dry-run'] && !values.profile && values.only === '') {
  for (const [name, section] of Object.entries(measured)) results[name] = { ...section, facts };
  writeFileSync(RESULTS, `${JSON.stringify(results, null, 2)}\n`);
  writeFileSync(REPORT, reportOf(results));
}

function textOf({ title, table, notes }: Section): string {
  return [`## ${title}`, '', table, '', ...notes].join('\n');
}

function reportOf(all: Results): string {
  const parts = Object.keys(CASES).flatMap((name) => {
    const section = all[name];
    if (!section) return [];
    const said = Object.entries(section.facts).map(([fact, value]) => `- ${fact}: ${value}`);
    return [textOf(section), '', ...said, ''];
  });
  return ['# Results', '', 'Written by `npm run bench`; [how to read them](README.md).', '', ...parts].join('\n');
}

/** Ends with 1 when a ratio fell far below the one on record: seconds differ between machines, ratios only by noise. */
function guard(now: Readonly<Record<string, Section>>): void {
  const fallen = Object.entries(now).flatMap(([name, { ratios }]) =>
    ratios.flatMap((ratio) => {
      const known = results[name]?.ratios.find((one) => one.name === ratio.name);
      if (!known) throw new Error(`${ratio.name} is not in ${RESULTS}: run npm run bench -- ${name}`);
      const line = `${ratio.name}: ${percent(ratio.value)} of its floor, ${percent(known.value)} on record`;
      console.log(line);
      return ratio.value < known.value * NOISE ? [line] : [];
    }),
  );
  if (fallen.length === 0) return;
  console.error(`Slower than before:\n${fallen.join('\n')}`);
  process.exitCode = 1;
}
