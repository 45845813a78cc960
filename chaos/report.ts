import type { FaultCounts } from '../sandbox/src/faults.ts';
import type { Books, Finding, Verdict } from './compare-books.ts';
import type { Death } from './role.ts';

export interface RunReport {
  seed: number;
  queue: string;
  seconds: number;
  storm: Record<string, number>;
  carrier: FaultCounts;
  verdict: Verdict;
  /** Decisions of the person at the desk, counted by reason and choice. */
  decided: Record<string, number>;
  receiver: { forged: number; failures: number; taken: number };
  strange: Record<string, { count: number; example: string }>;
  deaths: Death[];
  stormFailures: string[];
  /** Clicks of clients that were answered, for one order each. */
  tellings: number;
  /** Corrections of orders, and those that were answered as done. */
  edits: { asked: number; done: number };
  slowestCarrierMs: number;
  replay: string;
}

/** Returns true when the run proves what it is for. */
export function isProof({ verdict, receiver, deaths }: Pick<RunReport, 'verdict' | 'receiver' | 'deaths'>): boolean {
  return verdict.findings.length === 0 && receiver.forged === 0 && !deaths.some(({ wasReady }) => wasReady);
}

export function faultTotal({ storm, carrier }: Pick<RunReport, 'storm' | 'carrier'>): number {
  return Object.values(storm).reduce((sum, count) => sum + count, carrier.total);
}

export function table(report: RunReport): string {
  const { verdict, carrier, storm } = report;
  const count = (kind: Finding['kind']): number => verdict.findings.filter((finding) => finding.kind === kind).length;
  // The refusal is the storm's doing and counted there.
  const faults = Object.entries(carrier.byFault).filter(([name]) => name !== 'refuse');
  const rows: [string, string | number][] = [
    ['orders', verdict.orders],
    ['  imported from shops', verdict.imported],
    ['labels live at the carriers', verdict.labels],
    ['return shipments', verdict.returns],
    ['shop orders with a tracking number', verdict.shopsTold],
    ['couriers asked for', verdict.pickups],
    ['parcels released', verdict.released],
    ['events', verdict.events],
    ['events taken by receivers, repeats included', report.receiver.taken],
    ['events not taken by receivers at first', report.receiver.failures],
    ['answers to clients, per order', report.tellings],
    ['corrections asked for', report.edits.asked],
    ['corrections done', report.edits.done],
    ['faults injected', faultTotal(report)],
    ...sorted(faults).map(([name, value]): [string, number] => [`  partners: ${name}`, value]),
    ...sorted(Object.entries(storm)).map(([name, value]): [string, number] => [`  ${name}`, value]),
    ['duplicates', count('duplicate')],
    ['lost', count('lost')],
    ['lies', count('lie')],
    ['still unknown', verdict.stillUnknown],
    ['at the desk when everything had come to rest', verdict.needingPerson],
    ...sorted(Object.entries(report.decided)).map(([name, value]): [string, number] => [`  ${name}`, value]),
    ['told failed, nothing sold, may be asked again', verdict.handedBack],
    ["slowest answer of the sandbox's control side, ms", report.slowestCarrierMs],
    ['processes that died by themselves', report.deaths.filter(({ wasReady }) => wasReady).length],
    ['starts refused while an engine was away', report.deaths.filter(({ wasReady }) => !wasReady).length],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`).join('\n');
}

function sorted(entries: [string, number][]): [string, number][] {
  return entries.toSorted(([, one], [, other]) => other - one);
}

const SHOWN = 25;

/** Lists each finding with everything the books know about its order. */
export function explain(verdict: Verdict, books: Books): string {
  const shown = verdict.findings
    .slice(0, SHOWN)
    .map((finding) => `${finding.kind.toUpperCase()}: ${finding.text}\n${history(finding, books)}`);
  const left = verdict.findings.length - shown.length;
  return [...shown, ...(left > 0 ? [`… and ${left} more`] : [])].join('\n\n');
}

function history({ orderId }: Finding, { clients, database, ledgers, desk }: Books): string {
  if (orderId === null) return '';
  const shipments = database.shipments.filter((row) => row.orderId === orderId);
  const ids = new Set(shipments.map((row) => row.id));
  const order = database.orders.find((row) => row.id === orderId);
  const names = [...shipments.map((row) => row.reference), order?.externalId, order?.externalNumber];
  const references = new Set(names);
  return [
    ...database.orders.filter((row) => row.id === orderId).map((row) => line('order', row)),
    ...shipments.map((row) => line('shipment', row)),
    ...database.attempts.filter((row) => ids.has(row.shipmentId)).map((row) => line('attempt', row)),
    ...database.sends.filter((row) => row.orderId === orderId).map((row) => line('send', row)),
    ...desk.filter((entry) => entry.orderId === orderId).map((entry) => line('desk', entry)),
    ...Object.entries(ledgers).flatMap(([partner, entries]) =>
      entries.filter((entry) => references.has(entry.reference)).map((entry) => line('ledger', { partner, ...entry })),
    ),
    ...(clients.edits.get(orderId) ?? []).map((edit) => line('edit', edit)),
    ...clients.tellings
      .filter((telling) => telling.orderId === orderId)
      .map(({ at, ...telling }) => line('told', { at: new Date(at).toISOString().slice(11), ...telling })),
  ].join('\n');
}

function line(what: string, row: object): string {
  return `  ${what.padEnd(9)} ${JSON.stringify(row)}`;
}
