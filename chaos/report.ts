import type { FaultCounts } from '../src/sandbox/faults.ts';
import type { Books, Finding, Verdict } from './compare-books.ts';
import type { Death } from './role.ts';

export interface RunReport {
  seed: number;
  queue: string;
  seconds: number;
  storm: Record<string, number>;
  carrier: FaultCounts;
  verdict: Verdict;
  strange: Record<string, { count: number; example: string }>;
  deaths: Death[];
  stormFailures: string[];
  /** Clicks of clients that were answered, for one order each. */
  tellings: number;
  slowestCarrierMs: number;
  replay: string;
}

/** Whether the run proves what it is for. */
export function isProof({ verdict }: Pick<RunReport, 'verdict'>): boolean {
  return verdict.findings.length === 0;
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
    ['labels live at the carrier', verdict.labels],
    ['answers to clients, per order', report.tellings],
    ['faults injected', faultTotal(report)],
    ...sorted(faults).map(([name, value]): [string, number] => [`  carrier: ${name}`, value]),
    ...sorted(Object.entries(storm)).map(([name, value]): [string, number] => [`  ${name}`, value]),
    ['duplicates', count('duplicate')],
    ['lost', count('lost')],
    ['lies', count('lie')],
    ['still unknown', verdict.stillUnknown],
    ['needing a person', verdict.needingPerson],
    ['told failed, nothing sold, may be asked again', verdict.handedBack],
    ["slowest answer of the carrier's control side, ms", report.slowestCarrierMs],
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

/** Each finding with everything the three books know about its order. */
export function explain(verdict: Verdict, books: Books): string {
  const shown = verdict.findings
    .slice(0, SHOWN)
    .map((finding) => `${finding.kind.toUpperCase()}: ${finding.text}\n${history(finding, books)}`);
  const left = verdict.findings.length - shown.length;
  return [...shown, ...(left > 0 ? [`… and ${left} more`] : [])].join('\n\n');
}

function history({ orderId }: Finding, { clients, database, ledger }: Books): string {
  if (orderId === null) return '';
  const shipments = database.shipments.filter((row) => row.orderId === orderId);
  const ids = new Set(shipments.map((row) => row.id));
  const references = new Set(shipments.map((row) => row.reference));
  return [
    ...database.orders.filter((row) => row.id === orderId).map((row) => line('order', row)),
    ...shipments.map((row) => line('shipment', row)),
    ...database.attempts.filter((row) => ids.has(row.shipmentId)).map((row) => line('attempt', row)),
    ...ledger.filter((entry) => references.has(entry.reference)).map((entry) => line('carrier', entry)),
    ...clients.tellings
      .filter((telling) => telling.orderId === orderId)
      .map(({ at, ...telling }) => line('told', { at: new Date(at).toISOString().slice(11), ...telling })),
  ].join('\n');
}

function line(what: string, row: object): string {
  return `  ${what.padEnd(9)} ${JSON.stringify(row)}`;
}
