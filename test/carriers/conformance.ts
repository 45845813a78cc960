import { afterAll, describe, expect, it } from 'vitest';
import type { Carrier, CarrierContext, ShipmentDraft, ShipmentHandle } from '../../src/carriers/adapter.ts';
import { statusInContext, TRACKING_STATUSES } from '../../src/domain/tracking-status.ts';
import { type CarrierCaller, callerOf, listeningLog } from '../support/call-carrier.ts';
import { type FakeServer, type Reply, refusingUrl, startFakeServer } from '../support/fake-server.ts';
import { testOwnWords, WRITE_OPERATIONS, type WriteSamples } from './own-words.ts';

export const CHECKS = [
  'creates a shipment with exactly one write, carrying our reference, and returns a label in a declared format',
  "reports a carrier rejection as permanent, with the carrier's words kept",
  'reports throttling as retryable and repeats the Retry-After',
  'reports a refused connection as retryable: nothing was sent',
  'reports a server error, a lost connection and an unreadable success during a write as unknown',
  'stops when aborted, long before its time-out, and calls the outcome unknown',
  'rejects an invalid account before any request, without printing the account',
  'resolves an unknown outcome in both directions',
  'treats cancelling twice as success',
  'never guesses the meaning of a tracking code; every code in the table maps to a known status',
  'keeps an HTML page, an empty answer, a truncated and an oversized one as an unknown outcome on a write and retryable on a read',
  "believes neither a yes nor a no of any write that is not in the carrier's own words",
  'writes no secret to the log, in any of the above',
] as const;
export type Check = (typeof CHECKS)[number];

export interface CarrierSamples {
  carrier: Carrier;
  /** A valid account whose services all live under the given address. */
  account(baseUrl: string): unknown;
  /** Lacks something, and still holds the secrets. */
  invalidAccount: unknown;
  /** Values that may appear neither in the log nor in a message. */
  secrets: readonly string[];
  draft: ShipmentDraft;
  /** What comes before the write on a first call, such as a token. */
  prelude?: readonly Reply[];
  /** The good answer to the write, with what it leads to. */
  created: { replies: readonly Reply[]; trackingNumber: string; carrierReference: string };
  rejected: { reply: Reply; words: string };
  /** Answers with a good status that are no good answer. */
  unreadable: readonly Reply[];
  find?: { found: readonly Reply[]; absent: readonly Reply[] };
  cancel?: { first: readonly Reply[]; again: readonly Reply[] };
  track?: {
    codes: Readonly<Record<string, { status: string }>>;
    unknownCode: string;
    /** Answers that report one event with the given code. */
    replies(code: string): readonly Reply[];
  };
  /** Of each write that the carrier has. */
  writes: WriteSamples;
  /** Why a check does not hold for this carrier. */
  deviations?: Partial<Record<Check, string>>;
}

const PAGE = '<html><body><h1>Manutenzione</h1><p>Il servizio torna alle 14.</p></body></html>';
const TOO_LARGE = Buffer.alloc(20 * 1024 * 1024 + 1, '<p>x</p>');

/** Answers that no partner promises, and what broke on the wire. */
const UNPROMISED: readonly { reply: Reply; error: unknown }[] = [
  { reply: { headers: { 'content-type': 'text/html' }, body: PAGE }, error: null },
  { reply: { body: '' }, error: null },
  { reply: { body: PAGE, ending: 'truncate' }, error: expect.stringMatching(/^[A-Z_]+$/) },
  { reply: { body: TOO_LARGE }, error: 'answer-too-large' },
];

/** The promises that every adapter keeps, checked over real sockets. */
export function testCarrier(samples: CarrierSamples): void {
  const { carrier, draft, prelude = [], created } = samples;
  const { log, written } = listeningLog();
  const messages: string[] = [];
  const handle: ShipmentHandle = { reference: draft.reference, ...handleOf(created) };
  const create = (one: Carrier, context: CarrierContext<unknown>) => one.createShipment(context, draft);

  const check = (title: Check, run: () => Promise<void>, present = true): void => {
    const reason = samples.deviations?.[title];
    if (reason !== undefined) it.skip(`${title} (deviates: ${reason})`);
    else it.skipIf(!present)(title, run);
  };
  const against = async (
    replies: readonly Reply[],
    run: (caller: CarrierCaller, server: FakeServer) => Promise<void>,
    signal?: AbortSignal,
  ): Promise<void> => {
    const server = await startFakeServer([...prelude, ...replies]);
    try {
      await run(callerOf(carrier, samples.account(server.url), { log, ...(signal ? { signal } : {}) }), server);
    } catch (error) {
      await server.close().catch(() => {});
      throw error;
    }
    await server.close();
  };
  const failing = async (reply: Reply) => {
    let failure: Awaited<ReturnType<CarrierCaller['fail']>> | undefined;
    await against([reply], async ({ fail }) => {
      failure = await fail(create);
      messages.push(failure.message);
    });
    if (!failure) throw new Error('The call did not run');
    return failure;
  };

  describe(`${carrier.id} keeps the promises of every carrier`, () => {
    check(CHECKS[0], () =>
      against(created.replies, async ({ call, exchanges }) => {
        const shipment = await call(create);

        const writes = exchanges.filter((exchange) => exchange.effect === 'write');
        expect(writes).toHaveLength(1);
        expect(writes[0]?.requestBody).toContain(draft.reference);
        expect(shipment.trackingNumber).toBe(created.trackingNumber);
        expect(shipment.carrierReference).toBe(created.carrierReference);
        expect(shipment.parcelCount).toBe(draft.parcels.length);
        expect(shipment.labels.length).toBeGreaterThan(0);
        for (const { contentType, bytes } of shipment.labels) {
          expect(bytes.toString('latin1')).toMatch(contentType === 'application/pdf' ? /^%PDF/ : /\^XA/);
          expect(contentType).toBe(draft.labelFormat === 'zpl' ? 'application/zpl' : 'application/pdf');
        }
      }),
    );

    check(CHECKS[1], async () => {
      const failure = await failing(samples.rejected.reply);

      expect(failure).toMatchObject({ kind: 'permanent', isAuthoritative: true });
      expect(failure.message).toContain(samples.rejected.words);
    });

    check(CHECKS[2], async () => {
      const failure = await failing({ status: 429, headers: { 'retry-after': '7' }, body: 'slow down' });

      expect(failure.kind).toBe('retryable');
      expect(failure.retryAfterMs).toBe(7000);
    });

    check(CHECKS[3], async () => {
      const { fail } = callerOf(carrier, samples.account(await refusingUrl()), { log });

      const failure = await fail(create);

      expect(failure.kind).toBe('retryable');
    });

    check(CHECKS[4], async () => {
      for (const reply of [{ status: 500, body: 'broken' }, { ending: 'reset' as const }, ...samples.unreadable]) {
        const failure = await failing(reply);

        expect(failure.kind, JSON.stringify(reply)).toBe('unknown-outcome');
      }
    });

    check(CHECKS[5], async () => {
      const controller = new AbortController();
      const run = async ({ fail }: CarrierCaller, server: FakeServer) => {
        const failing = fail(create);
        await server.seen(prelude.length + 1);
        const aborted = performance.now();
        controller.abort();
        const failure = await failing;

        // The time-out of a call is thirty seconds; a machine under load may need a moment.
        expect(performance.now() - aborted).toBeLessThan(5000);
        expect(failure.kind).toBe('unknown-outcome');
      };
      await against([{ ending: 'hang' }], run, controller.signal);
    });

    check(CHECKS[6], async () => {
      const { fail, exchanges } = callerOf(carrier, samples.invalidAccount, { log });

      const failure = await fail(create);
      messages.push(failure.message);

      expect(failure).toMatchObject({ kind: 'permanent', code: 'account-invalid' });
      expect(exchanges).toHaveLength(0);
    });

    const { find, cancel, track } = samples;
    const look = async (one: Carrier, context: CarrierContext<unknown>) => one.findByReference?.(context, draft);
    check(
      CHECKS[7],
      async () => {
        await against(find?.found ?? [], async ({ call, exchanges }) => {
          expect(await call(look)).toMatchObject(handleOf(created));
          expect(exchanges.every((exchange) => exchange.effect === 'read')).toBe(true);
        });
        await against(find?.absent ?? [], async ({ call }) => expect(await call(look)).toBeNull());
      },
      carrier.findByReference !== undefined,
    );

    check(
      CHECKS[8],
      () =>
        against([...(cancel?.first ?? []), ...(cancel?.again ?? [])], async ({ call }) => {
          await call(async (one, context) => one.cancelShipment?.(context, handle));
          await call(async (one, context) => one.cancelShipment?.(context, handle));
        }),
      carrier.cancelShipment !== undefined,
    );

    check(
      CHECKS[9],
      async () => {
        const statusOf = async (code: string): Promise<string | undefined> => {
          let status: string | undefined;
          await against(track?.replies(code) ?? [], async ({ call }) => {
            const report = await call(async (one, context) => one.track?.(context, handle));
            expect(report?.events).toMatchObject([{ code }]);
            const [event] = report?.events ?? [];
            status = event?.status;
            // What is kept of an event is enough to read it again.
            const { status: meant, delayed = false } = carrier.trackingCodes?.read(event ?? NOTHING) ?? {};
            const again = meant && statusInContext(meant, event?.context ?? '');
            expect([again, delayed], code).toEqual([status, event?.delayed ?? false]);
          });
          return status;
        };
        const codes = Object.entries(track?.codes ?? {});

        expect(codes.length).toBeGreaterThan(0);
        expect(await statusOf(track?.unknownCode ?? '')).toBe('unrecognised');
        for (const [code, { status }] of codes) {
          expect(Object.keys(TRACKING_STATUSES), code).toContain(status);
          expect(await statusOf(code), code).toBe(status);
        }
      },
      carrier.track !== undefined,
    );

    check(CHECKS[10], async () => {
      const read = find ? look : async (one: Carrier, context: CarrierContext<unknown>) => one.track?.(context, handle);
      const kinds = { write: 'unknown-outcome', read: 'retryable' } as const;
      for (const effect of find || track ? (['write', 'read'] as const) : (['write'] as const)) {
        for (const { reply, error } of UNPROMISED) {
          await against([reply], async ({ fail, exchanges }) => {
            const failure = await fail(effect === 'write' ? create : read);
            messages.push(failure.message);

            const kept = exchanges.at(-1);
            expect(failure.kind, `${effect}: ${failure.message}`).toBe(kinds[effect]);
            expect(kept).toMatchObject({ effect, status: 200, error });
            expect(String(reply.body ?? '').startsWith(kept?.responseBody ?? '-')).toBe(true);
            expect(kept?.responseBody === '').toBe(reply.body === '');
          });
        }
      }
    });

    check(CHECKS[11], async () => {
      for (const operation of WRITE_OPERATIONS) {
        const sample = samples.writes[operation];
        expect(sample !== undefined, `a sample of ${operation}`).toBe(carrier[operation] !== undefined);
        if (sample) await testOwnWords({ operation, samples, sample, handle, log });
      }
    });

    check(CHECKS[12], async () => {
      log.info('conformance checks ran');

      expect(written()).toContain('conformance checks ran');
      for (const secret of samples.secrets) {
        expect(written()).not.toContain(secret);
        expect(messages.join('\n')).not.toContain(secret);
      }
    });

    afterAll(() => {
      for (const [title, reason] of Object.entries(samples.deviations ?? {}))
        console.info(`${carrier.id}: ${title}: ${reason}`);
    });
  });
}

const NOTHING = { code: '', text: '', note: '' };

function handleOf({ trackingNumber, carrierReference }: CarrierSamples['created']) {
  return { trackingNumber, carrierReference };
}
