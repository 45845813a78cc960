/** `npm run chaos`: everything fails at random, and still every order gets one label and everyone is told the truth. */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { hasRedis } from './redis.ts';
import { explain, faultTotal, isProof, table } from './report.ts';
import { runChaos, SHOPS } from './run-chaos.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
    orders: { type: 'string', default: '1000' },
    faults: { type: 'string', default: '0' },
    minutes: { type: 'string', default: '10' },
    queue: { type: 'string', default: hasRedis() ? 'redis' : 'postgres' },
    only: { type: 'string', default: '' },
    pause: { type: 'string', default: '2-8' },
    rate: { type: 'string', default: '0.35' },
    edits: { type: 'string', default: '0.2' },
    json: { type: 'string' },
    keep: { type: 'boolean', default: false },
  },
});
const queue = values.queue === 'redis' ? 'redis' : 'postgres';
const [minPause = 1, maxPause = minPause] = values.pause.split('-').map(Number);
const controller = new AbortController();
process.once('SIGINT', () => controller.abort());
process.once('SIGTERM', () => controller.abort());

const { report, books } = await runChaos({
  seed: Number(values.seed),
  orders: Number(values.orders),
  faults: Number(values.faults),
  minutes: Number(values.minutes),
  queue,
  companies: 12,
  rate: Number(values.rate),
  edits: Number(values.edits),
  only: values.only,
  stormPauseMs: { min: minPause * 1000, max: maxPause * 1000 },
  processes: { apis: 2, workers: 3, schedulers: 2 },
  settleSeconds: 300,
  shops: SHOPS,
  keep: values.keep,
  log: (line) => console.log(line),
  signal: controller.signal,
}).catch((error) => {
  if (!controller.signal.aborted) throw error;
  console.log('Interrupted: everything is stopped, nothing is proved.');
  process.exit(130);
});
console.log(`\n${table(report)}\n`);
for (const [what, { count, example }] of Object.entries(report.strange))
  console.log(`strange: ${count} × ${what}: ${example}`);
for (const { role, code, lastWords } of report.deaths.filter((death) => death.wasReady))
  console.log(`died by itself: ${role} with ${code}\n${lastWords}\n`);
for (const failure of report.stormFailures) console.log(`the storm could not: ${failure}`);
if (report.verdict.findings.length > 0) console.log(`\n${explain(report.verdict, books)}\n`);
console.log(`${faultTotal(report)} faults in ${report.seconds} s. To repeat it: ${report.replay}`);
if (faultTotal(report) < Number(values.faults)) console.log(`The time was over before ${values.faults} faults.`);
if (values.json) writeFileSync(values.json, `${JSON.stringify(report, null, 2)}\n`);
// Everything is stopped; a wait that lost its race would keep the process for minutes.
process.exit(isProof(report) ? 0 : 1);
