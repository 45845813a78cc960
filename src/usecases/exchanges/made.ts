import type { TransmitResult } from '../../carriers/adapter.ts';
import type { ShipmentAttempt } from '../../db/entities/index.ts';
import { IntegrationError } from '../../lib/errors.ts';

/** What became of one call of an adapter's method. `failed` and `unknown` are those of an attempt. */
export type MadeKind =
  | 'booked'
  | 'found'
  | 'absent'
  | 'done'
  | 'transmitted'
  | 'labels'
  | 'report'
  | 'address'
  | 'failed'
  | 'unknown';

export interface Made {
  kind: MadeKind;
  /** Of a failure. */
  code: string;
  message: string;
  trackingNumber: string;
  /** Warnings of a booking, events of a report, one line per shipment of a confirmation. */
  details: string[];
}

export function made(kind: MadeKind, said: Partial<Omit<Made, 'kind'>> = {}): Made {
  return { kind, code: '', message: '', trackingNumber: '', details: [], ...said };
}

/** A failure as an attempt would keep it. */
export function madeOfError(error: unknown): Made {
  if (!(error instanceof IntegrationError)) throw error;
  const { kind, code, message } = error;
  return made(kind === 'unknown-outcome' ? 'unknown' : 'failed', { code, message });
}

const KINDS: Record<string, MadeKind> = { succeeded: 'done', failed: 'failed', unknown: 'unknown' };

/** What an attempt says of its call; null while it runs, or when nothing was written down but that its worker was lost. */
export function madeOfAttempt(attempt: ShipmentAttempt): Made | null {
  if (attempt.outcome === 'running' || attempt.code === 'worker-lost') return null;
  return made(KINDS[attempt.outcome] ?? 'unknown', { code: attempt.code ?? '', message: attempt.message ?? '' });
}

/** One line per shipment, whether the carrier answered about each or the call failed for all. */
export function transmittedLine(reference: string, { kind, code, message }: Made): string {
  return [reference, kind === 'done' ? 'succeeded' : kind, code, message].filter((part) => part !== '').join(' ');
}

/** A result in the words of the attempt that it ends. */
export function madeOfTransmit(result: TransmitResult | undefined, refusal: IntegrationError): Made {
  return result?.outcome === 'succeeded' ? made('done') : madeOfError(refusal);
}

/** Whether today's adapter makes the same of it. A report has to say only what is known: more events came with later looks. */
export function isSame(before: Made, today: Made): boolean {
  if (before.kind !== today.kind) return false;
  if (before.kind === 'unknown' && before.code === '') return true;
  if (before.kind === 'report') return today.details.every((event) => before.details.includes(event));
  return (
    before.code === today.code &&
    before.message === today.message &&
    before.trackingNumber === today.trackingNumber &&
    JSON.stringify(before.details) === JSON.stringify(today.details)
  );
}

/** In one line, for people. */
export function shownMade(one: Made | null): string {
  if (one === null) return '-';
  const { kind, code, trackingNumber, message, details } = one;
  const more = kind === 'report' ? [`${details.length} events`] : details;
  return [[kind, code, trackingNumber].filter(Boolean).join(' '), message, ...more].filter(Boolean).join('; ');
}
