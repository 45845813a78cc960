import { expect } from 'vitest';
import type { Carrier, CarrierContext, ShipmentHandle } from '../../src/carriers/adapter.ts';
import { IntegrationError } from '../../src/lib/errors.ts';
import type { Log } from '../../src/lib/log.ts';
import { callerOf } from '../support/call-carrier.ts';
import { type Reply, startFakeServer } from '../support/fake-server.ts';
import { BROKEN, FOREIGN_NO, FOREIGN_YES } from '../support/foreign-answers.ts';
import type { CarrierSamples } from './conformance.ts';

export const WRITE_OPERATIONS = [
  'createShipment',
  'cancelShipment',
  'transmitShipments',
  'releaseHeld',
  'bookPickup',
  'cancelPickup',
] as const;
export type WriteOperation = (typeof WRITE_OPERATIONS)[number];

export interface WriteSample {
  /** What the operation reads before it writes, after the prelude. */
  before?: readonly Reply[];
  /** Statuses that the protocol names as a yes although their body is empty, such as 204. */
  silentYes?: readonly number[];
  /** The carrier's own words that this was not done, with what is asked after them. */
  refused: readonly Reply[];
  /** Of the account, where the operation needs another one than the rest. */
  account?: Record<string, unknown>;
}

export type WriteSamples = Partial<Record<WriteOperation, WriteSample>>;

interface OwnWords {
  operation: WriteOperation;
  samples: CarrierSamples;
  sample: WriteSample;
  handle: ShipmentHandle;
  log: Log;
}

/** How one call ended. */
type End = { outcome: 'succeeded' | 'failed' } | { outcome: 'unknown' } | { error: IntegrationError };

/** One write, answered by the carrier and by something else. */
export async function testOwnWords(test: OwnWords): Promise<void> {
  const { operation, sample } = test;
  for (const reply of FOREIGN_YES) {
    const isYes = reply.body === '' && sample.silentYes?.includes(reply.status ?? 200);
    const end = await endOf(test, [reply]);
    expect(toldOf(end), `${operation}: ${titleOf(reply)}`).toBe(isYes ? 'succeeded' : 'unknown');
  }
  for (const reply of FOREIGN_NO) {
    const end = await endOf(test, [reply]);
    // Not carried out by all that HTTP says, which settles nothing that was lost before.
    expect(toldOf(end), `${operation}: ${titleOf(reply)}`).not.toMatch(/succeeded|failed/);
  }
  expect(toldOf(await endOf(test, sample.refused)), `${operation}: in the carrier's own words`).toBe('failed');
}

function titleOf({ status, body }: Reply): string {
  return `${status} ${JSON.stringify(body)}`;
}

/** `no-verdict`: nothing that could settle an earlier try. */
function toldOf(end: End): 'succeeded' | 'failed' | 'unknown' | 'no-verdict' {
  if ('outcome' in end) return end.outcome;
  if (end.error.kind === 'unknown-outcome') return 'unknown';
  return end.error.kind === 'permanent' && end.error.isAuthoritative ? 'failed' : 'no-verdict';
}

async function endOf({ operation, samples, sample, handle, log }: OwnWords, replies: readonly Reply[]): Promise<End> {
  const before = [...(samples.prelude ?? []), ...(sample.before ?? [])];
  const server = await startFakeServer([...before, ...replies], { otherwise: BROKEN });
  const account = { ...(samples.account(server.url) as object), ...sample.account };
  try {
    return await callerOf(samples.carrier, account, { log }).call((carrier, context) =>
      RUN[operation](carrier, context, { draft: samples.draft, handle }),
    );
  } catch (error) {
    if (!(error instanceof IntegrationError)) throw error;
    return { error };
  } finally {
    await server.close().catch(() => {});
  }
}

interface Subject {
  draft: CarrierSamples['draft'];
  handle: ShipmentHandle;
}

type Run = (carrier: Carrier, context: CarrierContext<unknown>, subject: Subject) => Promise<End>;

const SUCCEEDED: End = { outcome: 'succeeded' };

const RUN: Readonly<Record<WriteOperation, Run>> = {
  createShipment: async (carrier, context, { draft }) => {
    await carrier.createShipment(context, draft);
    return SUCCEEDED;
  },
  cancelShipment: async (carrier, context, { handle }) => {
    await carrier.cancelShipment?.(context, handle);
    return SUCCEEDED;
  },
  transmitShipments: async (carrier, context, { handle }) => {
    const [result] = (await carrier.transmitShipments?.(context, [handle])) ?? [];
    return { outcome: result?.outcome ?? 'unknown' };
  },
  releaseHeld: async (carrier, context, { draft, handle }) => {
    const result = await carrier.releaseHeld?.(context, {
      shipment: handle,
      action: carrier.heldActions?.[0] ?? 'REDISPATCH_SAME_ADDRESS',
      recipientPhone: '+39 333 1234567',
      newAddress: draft.recipient,
      pickupPointId: '',
      note: '',
      redeliveryDate: '2026-11-24',
    });
    return { outcome: result?.ok ? 'succeeded' : 'failed' };
  },
  bookPickup: async (carrier, context, { draft, handle }) => {
    await carrier.bookPickup?.(context, {
      reference: 'PSM0000042',
      date: '2026-11-24',
      from: '09:00',
      to: '17:00',
      place: { ...draft.sender, phone: '+39 051 1234567' },
      parcels: draft.parcels,
      shipments: [handle],
      note: '',
    });
    return SUCCEEDED;
  },
  cancelPickup: async (carrier, context) => {
    await carrier.cancelPickup?.(context, 'PICKUP1');
    return SUCCEEDED;
  },
};
