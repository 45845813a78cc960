import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { MARKETPLACE_ERRORS } from '../../src/domain/marketplace-error.ts';
import type {
  ConfirmedShipment,
  Marketplace,
  ShipmentConfirmation,
  WebhookDelivery,
} from '../../src/marketplaces/adapter.ts';
import { type ScriptedReply, type ScriptedServer, startScriptedServer } from '../support/scripted-server.ts';
import { type Caller, callerOf, failureOf } from './call-marketplace.ts';
import { type OwnWords, testOwnWords } from './own-words.ts';

/** What a marketplace's own test file provides; every reply is in the platform's words. */
export interface MarketplaceSamples {
  marketplace: Marketplace;
  /** The account of a shop that lives at this address. */
  account(url: string): Record<string, unknown>;
  /** Must appear in no log and no message. */
  secrets: string[];
  /** A name of the account without which it is invalid. */
  requiredField: string;
  /** What comes before the first call of an account, such as its token, where there is a call. */
  prelude?: ScriptedReply[];
  /** The reply to the read that proves the credentials. */
  verify: ScriptedReply;
  refusedKey: Pick<ScriptedReply, 'status' | 'body'>;
  listing: {
    /** At least two pages. */
    pages: ScriptedReply[];
    /** `externalNumber`s in their order. */
    numbers: string[];
  };
  /** One order on its own. */
  reading: {
    externalId: string;
    found: ScriptedReply[];
    externalNumber: string;
    absent: ScriptedReply[];
  };
  /** A page with one order that cannot be read, and what is left of it; or why there is no such thing. */
  poison: { page: ScriptedReply[]; numbers: string[]; unreadable: string[] } | string;
  /** A genuine delivery, and the order it is about. */
  webhook?: { delivery: WebhookDelivery; externalOrderId: string; reads?: ScriptedReply[] };
  confirming: {
    confirmation: ShipmentConfirmation;
    detected: Record<string, unknown>;
    /** Before the first write. */
    reads: ScriptedReply[];
    writes: [ScriptedReply, ...ScriptedReply[]];
    ownWords: OwnWords;
    /** What is read when everything was written before. */
    readsAfterwards: ScriptedReply[];
    result: ConfirmedShipment;
  };
}

const NO_DELIVERY: WebhookDelivery = { headers: {}, body: Buffer.alloc(0) };
const WINDOW = {
  modifiedAfter: new Date('2026-11-20T00:00:00Z'),
  modifiedBefore: new Date('2026-11-21T00:00:00Z'),
};
const SHUTDOWN_LIMIT_MS = 100;
const PAGE = '<html><body><h1>Manutenzione</h1><p>Il sito torna alle 14.</p></body></html>';

/** Answers that no platform promises. */
const UNPROMISED: [string, Partial<ScriptedReply>][] = [
  ['a web page', { status: 200, body: PAGE }],
  ['an answer that breaks off', { status: 200, body: PAGE, instead: 'truncate' }],
  ['an endless answer', { status: 200, body: Buffer.alloc(20 * 1024 * 1024 + 1, '<p>x</p>') }],
];

/** The rules that every marketplace keeps, over a real connection. */
export function testMarketplace(samples: MarketplaceSamples): void {
  const { marketplace, confirming } = samples;
  const [firstWrite] = confirming.writes;

  describe(`${marketplace.id} keeps the rules of a marketplace`, () => {
    let server: ScriptedServer;
    let callers: Caller[];
    let errors: string[];
    beforeEach(async () => {
      server = await startScriptedServer();
      callers = [];
      errors = [];
    });
    afterEach(async () => {
      await server.close();
      const written = [...errors, ...callers.map((each) => each.logged())].join('\n');
      for (const secret of samples.secrets) expect(written, 'no secret in logs and errors').not.toContain(secret);
    });

    const caller = (options: { url?: string; signal?: AbortSignal } = {}) => {
      const { url = server.url, ...rest } = options;
      const made = callerOf(marketplace, { account: samples.account(url), ...rest });
      if (url === server.url)
        server.script(...(samples.prelude ?? []).map((reply) => ({ ...reply, isOptional: true })));
      callers.push(made);
      return made;
    };
    /** A failure, with all its words kept for the search for secrets. */
    const failure = async (work: Promise<unknown>) => {
      const error = await failureOf(work);
      for (let at: unknown = error; at instanceof Error; at = at.cause) errors.push(String(at.stack));
      return error;
    };
    const confirm = (options?: { url?: string; signal?: AbortSignal }) =>
      caller(options).confirm(confirming.confirmation, confirming.detected);

    test('proves credentials with reads alone', async () => {
      server.script(samples.verify);
      const shop = caller();

      await shop.verify();

      expect(shop.writes()).toEqual([]);
    });

    test('lists the orders of every page in their order', async () => {
      server.script(...samples.listing.pages);

      const orders = await caller().listAll(WINDOW);

      expect(orders.map(({ externalNumber }) => externalNumber)).toEqual(samples.listing.numbers);
    });

    test('reads one order by its id, and knows what is not there', async () => {
      const { externalId, found, absent, externalNumber } = samples.reading;
      const shop = caller();

      server.script(...found);
      const order = await shop.read(externalId);
      server.script(...absent);
      const missing = await shop.read(externalId);

      expect(order).toMatchObject({ externalId, externalNumber });
      expect(missing).toBeNull();
    });

    const { poison } = samples;
    if (typeof poison === 'string') test.skip(`keeps the neighbours of an order that cannot be read (${poison})`);
    else {
      test('keeps the neighbours of an order that cannot be read, and names it', async () => {
        server.script(...poison.page);
        const shop = caller();

        const orders = await shop.listAll(WINDOW);

        expect(orders.map(({ externalNumber }) => externalNumber)).toEqual(poison.numbers);
        expect(shop.unreadable()).toEqual(poison.unreadable);
      });
    }

    test.each(UNPROMISED)('reports %s to a read as retryable', async (_name, broken) => {
      server.script({ ...samples.verify, ...broken });

      const error = await failure(caller().verify());

      expect(error).toMatchObject({ kind: 'retryable' });
    });

    test.each(UNPROMISED)('reports %s to a write as an unknown outcome', async (_name, broken) => {
      server.script(...confirming.reads, { ...firstWrite, ...broken });

      const error = await failure(confirm());

      expect(error).toMatchObject({ kind: 'unknown-outcome' });
    });

    test.runIf(marketplace.webhook)(
      'believes a webhook only with its signature, and the same repeat once',
      async () => {
        const {
          delivery,
          externalOrderId,
          reads = [],
        } = samples.webhook ?? { delivery: NO_DELIVERY, externalOrderId: '' };
        const tampered = { ...delivery, body: Buffer.concat([delivery.body, Buffer.from(' ')]) };
        server.script(...reads);
        const shop = caller();

        const genuine = await shop.hint(delivery);
        const again = await shop.hint(delivery);

        expect(genuine).toMatchObject({ externalOrderId });
        expect(again).toEqual(genuine);
        expect(await shop.hint(tampered)).toBeNull();
        expect(await shop.hint({ ...delivery, headers: {} })).toBeNull();
      },
    );

    test('reports a refused key as permanent, in the closed vocabulary', async () => {
      server.script({ ...samples.verify, ...samples.refusedKey });

      const error = await failure(caller().verify());

      expect(error).toMatchObject({ kind: 'permanent' });
      expect(Object.keys(MARKETPLACE_ERRORS)).toContain(error.code);
    });

    test('rejects an incomplete account before any request and without printing it', async () => {
      const account = { ...samples.account(server.url), [samples.requiredField]: undefined };

      const error = await failure(callerOf(marketplace, { account }).verify());

      expect(error).toMatchObject({ kind: 'permanent', code: 'account-invalid' });
      expect(error.message).toContain(samples.requiredField);
      expect(server.requests).toEqual([]);
    });

    test('reports throttling of a read as retryable and repeats the Retry-After', async () => {
      server.script({ ...samples.verify, status: 429, headers: { 'retry-after': '7' }, body: 'slow down' });

      const error = await failure(caller().verify());

      expect(error).toMatchObject({ kind: 'retryable', code: 'rate_limited', retryAfterMs: 7000 });
    });

    test('reports throttling of the first write as retryable and repeats the Retry-After', async () => {
      server.script(...confirming.reads, { ...firstWrite, status: 429, headers: { 'retry-after': '7' }, body: '' });

      const error = await failure(confirm());

      expect(error).toMatchObject({ kind: 'retryable', code: 'rate_limited', retryAfterMs: 7000 });
    });

    test('believes a yes and a no to a write only in the words of the platform', async () => {
      await testOwnWords(samples);
    });

    test.each(['a read', 'the first write'])('waits as long as a shop in maintenance asks for, at %s', async (when) => {
      const maintenance = { status: 503, headers: { 'retry-after': '600' }, body: PAGE };
      const isRead = when === 'a read';
      if (isRead) server.script({ ...samples.verify, ...maintenance });
      else server.script(...confirming.reads, { ...firstWrite, ...maintenance });

      const error = await failure(isRead ? caller().verify() : confirm());

      expect(error).toMatchObject({
        kind: 'retryable',
        code: 'platform_unavailable',
        retryAfterMs: 600_000,
        isAuthoritative: false,
      });
    });

    test('reports a refused connection as retryable: nothing was sent', async () => {
      const gone = await startScriptedServer();
      await gone.close();

      const error = await failure(confirm({ url: gone.url }));

      expect(error).toMatchObject({ kind: 'retryable', code: 'partner-unreachable' });
    });

    test.each<[string, Partial<ScriptedReply>]>([
      ['a server error', { status: 500, body: '<h1>Error</h1>' }],
      ['a lost connection', { instead: 'reset' }],
      ['an unreadable success', { status: 200, body: '<p>Done</p>' }],
      ['a success of another shape', { status: 200, body: { hello: 'world' } }],
    ])('reports %s during a write as an unknown outcome', async (_name, broken) => {
      server.script(...confirming.reads, { ...firstWrite, ...broken });

      const error = await failure(confirm());

      expect(error).toMatchObject({ kind: 'unknown-outcome' });
    });

    test('reports a server error during a read as retryable', async () => {
      server.script({ ...samples.verify, status: 500, body: '<h1>Error</h1>' });

      const error = await failure(caller().verify());

      expect(error).toMatchObject({ kind: 'retryable' });
    });

    test('confirms a shipment with exactly the writes of its mechanism', async () => {
      server.script(...confirming.reads, ...confirming.writes);
      const shop = caller();

      const confirmed = await shop.confirm(confirming.confirmation, confirming.detected);

      expect(confirmed).toEqual({ ...confirming.result, alreadySent: false });
      expect(shop.writes()).toHaveLength(confirming.writes.length);
    });

    test('writes nothing when the shop has the shipment already', async () => {
      server.script(...confirming.readsAfterwards);
      const shop = caller();

      const confirmed = await shop.confirm(confirming.confirmation, confirming.detected);

      expect(confirmed).toEqual({ ...confirming.result, alreadySent: true });
      expect(shop.writes()).toEqual([]);
    });

    test(`stops within ${SHUTDOWN_LIMIT_MS} ms when aborted in a write, and calls the outcome unknown`, async () => {
      server.script(...confirming.reads, { ...firstWrite, instead: 'hang' });
      const stop = new AbortController();
      const failing = failure(confirm({ signal: stop.signal }));
      await Promise.race([server.untilHanging(), failing]);

      const abortedAt = performance.now();
      stop.abort();
      const error = await failing;

      expect(performance.now() - abortedAt).toBeLessThan(SHUTDOWN_LIMIT_MS);
      expect(error).toMatchObject({ kind: 'unknown-outcome' });
    });
  });
}
