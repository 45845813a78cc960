import { readFileSync, writeFileSync } from 'node:fs';
import { type Command, InvalidArgumentError } from 'commander';
import { shorten } from '../engine/exchange-bodies.ts';
import { UsageError } from '../lib/errors.ts';
import { shownMade } from '../usecases/exchanges/made.ts';
import type { Replayed, Verdict } from '../usecases/exchanges/replay-call.ts';
import { positiveNumber } from './arguments.ts';
import { columns, printable } from './table.ts';
import { registries, type WithCore } from './with-core.ts';

interface ExportOptions {
  shipment: number;
  redacted?: boolean;
  output?: string;
}

/** Adds `smista exchanges export` and `replay`: answers as fixtures, and today's adapters on yesterday's answers. */
export function recordingCommands(exchanges: Command, withCore: WithCore): void {
  exchanges
    .command('export')
    .description('write what was said about a shipment to a file that can be given away')
    .requiredOption('--shipment <id>', 'the shipment', positiveNumber)
    .option('--redacted', 'replace what names people, the company and its contract')
    .option('--output <file>', 'where to; the terminal unless said otherwise')
    .action(async ({ shipment, redacted, output }: ExportOptions) => {
      if (!redacted) {
        throw new UsageError(
          'An export leaves this installation, and the stored texts hold names and addresses: add --redacted',
        );
      }
      const { exportRecording } = await import('../usecases/exchanges/export-recording.ts');
      await withCore({}, async ({ deps }) => {
        const { recording, kept } = await exportRecording(deps, shipment);
        const text = `${JSON.stringify(recording, null, 2)}\n`;
        if (output === undefined) return console.log(text.trimEnd());
        writeFileSync(output, text, { mode: 0o600 });
        console.log(`${output}: ${recording.calls.length} calls. Read it before you give it away: ${kept}`);
      });
    });
  exchanges
    .command('replay')
    .description("run recorded answers through today's adapters, without any network")
    .argument('[file]', 'as exchanges export wrote it')
    .option(
      '--since <time>',
      'instead of a file: what the database has of the last days or hours, such as 7d',
      duration,
    )
    .action(async (file: string | undefined, options: { since?: number }) => {
      if ((file === undefined) === (options.since === undefined)) {
        throw new UsageError('Give either a file or --since');
      }
      if (file !== undefined) {
        const { readRecording, replayRecording } = await import('../usecases/exchanges/recording.ts');
        return printReplay(await replayRecording(await registries(), readRecording(read(file), file)));
      }
      const { replaySince } = await import('../usecases/exchanges/recorded-groups.ts');
      await withCore({}, async ({ deps }) => {
        const since = new Date(deps.now().getTime() - (options.since ?? 0));
        await printDifferences(replaySince(deps, since));
      });
    });
}

const UNITS: Readonly<Record<string, number>> = { d: 86_400_000, h: 3_600_000, m: 60_000 };

function duration(text: string): number {
  const [, count = '', unit = ''] = /^(\d{1,4})([dhm])$/.exec(text) ?? [];
  if (count === '') throw new InvalidArgumentError('It must be a number with d, h or m, such as 7d.');
  return Number(count) * (UNITS[unit] ?? 0);
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new UsageError(`${file} cannot be read: ${(cause as Error).message}`, { cause });
  }
}

/** Characters. Two columns of this width fit beside each other; the file and `exchanges show` have the whole answer. */
const MAX_CELL = 160;
const HEAD = ['PARTNER', 'SHIPMENT', 'METHOD', 'VERDICT', 'THEN', 'TODAY', 'REASON'];

function rowOf({ partner, shipmentId, method, verdict, before, today, reason }: Replayed): string[] {
  const cells = [shorten(shownMade(before), MAX_CELL), shorten(shownMade(today), MAX_CELL), reason || '-'];
  const plain = cells.map((cell) => printable(cell).replaceAll(/\s+/g, ' '));
  return [partner, String(shipmentId ?? '-'), method ?? '-', verdict, ...plain];
}

/** Prints every call of a file. */
function printReplay(replayed: readonly Replayed[]): void {
  console.log(columns([HEAD, ...replayed.map(rowOf)]));
  conclude(count(replayed));
}

/** Prints only differences: a week has thousands of equal calls. */
async function printDifferences(replayed: AsyncIterable<Replayed>): Promise<void> {
  const counts = count([]);
  const reasons = new Map<string, number>();
  for await (const one of replayed) {
    counts[one.verdict] += 1;
    if (one.verdict === 'different') console.log(columns([HEAD, rowOf(one)]));
    if (one.verdict === 'not-replayable') {
      const why = `${one.partner}: ${one.reason}`;
      if (reasons.size < MAX_REASONS || reasons.has(why)) reasons.set(why, (reasons.get(why) ?? 0) + 1);
    }
  }
  for (const [why, times] of reasons) console.log(`not replayable, ${times} times, ${printable(why)}`);
  conclude(counts);
}

const MAX_REASONS = 50;

function count(replayed: readonly Replayed[]): Record<Verdict, number> {
  const counts = { same: 0, different: 0, 'not-replayable': 0 };
  for (const { verdict } of replayed) counts[verdict] += 1;
  return counts;
}

function conclude(counts: Record<Verdict, number>): void {
  console.log(`${counts.same} same, ${counts.different} different, ${counts['not-replayable']} not replayable`);
  if (counts.different > 0) process.exitCode = 1;
}
