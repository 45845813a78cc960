import type { Command } from 'commander';
import type { CarrierTracking } from '../usecases/tracking/tracking-status.ts';
import { positiveNumber } from './arguments.ts';
import { columns, printable } from './table.ts';
import type { WithCore, WithDatabase } from './with-core.ts';

/** Adds `smista tracking …`: how parcels are polled, of all companies. */
export function trackingCommands(program: Command, withCore: WithCore, withDatabase: WithDatabase): void {
  const tracking = program.command('tracking').description('how parcels are looked at');
  tracking
    .command('status')
    .description('by carrier: what is open and due, the lag, the budget, unknown codes, outages')
    .option('--json', 'for programs')
    .action(async (options: { json?: boolean }) => {
      const { trackingStatus } = await import('../usecases/tracking/tracking-status.ts');
      await withDatabase({}, async ({ deps }) => {
        const carriers = await trackingStatus(deps);
        console.log(options.json ? JSON.stringify(carriers, null, 2) : shown(carriers));
      });
    });
  tracking
    .command('remap')
    .description('read kept events again, where a table of codes has become better, and let shipments follow')
    .option('--carrier <code>', 'only of this carrier')
    .action(async (options: { carrier?: string }) => {
      const { remapTracking } = await import('../usecases/tracking/remap-tracking.ts');
      await withCore({}, async ({ deps }) => {
        const remapped = await remapTracking(deps, { carrierCode: options.carrier ?? null });
        for (const { carrier, version, read, changed, shipments } of remapped) {
          console.log(
            `${carrier} (codes ${version}): ${read} events read, ${changed} changed, ${shipments} shipments moved`,
          );
        }
      });
    });
  tracking
    .command('poll')
    .description('ask the carrier now, within its budget of calls; the workers do it')
    .argument('<shipments...>', 'their ids')
    .option('--wait <seconds>', 'how long to wait for the answers', positiveNumber, 25)
    .action(async (given: string[], options: { wait: number }) => {
      const ids = given.map(positiveNumber);
      const { pollMany } = await import('../usecases/tracking/poll-many.ts');
      await withCore({}, async ({ deps }) => {
        const polls = await pollMany(deps, ids, options.wait * 1000);
        for (const { shipmentId, text, isRefused } of polls) {
          console.log(`Shipment ${shipmentId}: ${printable(text)}`);
          if (isRefused) process.exitCode = 1;
        }
      });
    });
  tracking
    .command('reopen')
    .description('look again at a parcel that was given up for its silence')
    .argument('<shipment>', 'its id', positiveNumber)
    .action(async (shipmentId: number) => {
      const { reopenTracking } = await import('../usecases/tracking/remap-tracking.ts');
      await withCore({}, async ({ deps }) => {
        await reopenTracking(deps, shipmentId);
        console.log(`Shipment ${shipmentId} is looked at again.`);
      });
    });
}

function shown(carriers: readonly CarrierTracking[]): string {
  if (carriers.length === 0) return 'There are no shipments.';
  const head = ['CARRIER', 'OPEN', 'DUE', 'LAG', 'LAST HOUR', 'EXPIRED', 'BUDGET', 'STATE'];
  const rows = carriers.map((one) => [
    one.carrier,
    String(one.open),
    String(one.due),
    `${one.lagSeconds} s`,
    String(one.polledLastHour),
    String(one.expired),
    one.budgetLeft === null ? '-' : String(one.budgetLeft),
    one.outage ? `does not answer since ${one.outage.since} (${one.outage.lastError})` : 'answers',
  ]);
  const silent = carriers.flatMap(({ carrier, silentContracts }) =>
    silentContracts.map(({ id, label, since, lastError }) =>
      ['', carrier, `contract ${id} ${label}`, `since ${since}`, lastError].map(printable),
    ),
  );
  const unknown = carriers.flatMap(({ carrier, unknownCodes }) =>
    unknownCodes.map(({ code, text, events }) => ['', carrier, code, String(events), text].map(printable)),
  );
  const codes = unknown.length === 0 ? [] : ['', 'Codes that no table knows:', columns(unknown)];
  const contracts = silent.length === 0 ? [] : ['', 'Contracts whose polls are not answered:', columns(silent)];
  return [columns([head, ...rows]), ...contracts, ...codes].join('\n');
}
