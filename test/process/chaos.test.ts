import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { Caller } from '../../chaos/caller.ts';
import { type Books, compareBooks } from '../../chaos/compare-books.ts';
import type { ItemRow, ManifestLine, OrderRow, PickupRow, ShipmentRow } from '../../chaos/database-book.ts';
import type { DeskEntry } from '../../chaos/desk.ts';
import { Random } from '../../chaos/random.ts';
import { hasRedis } from '../../chaos/redis.ts';
import { explain, faultTotal } from '../../chaos/report.ts';
import { runChaos } from '../../chaos/run-chaos.ts';
import { ClientBook, type Edit, type Telling } from '../../chaos/told.ts';
import type { LedgerEntry, PickupEntry } from '../../sandbox/src/partner.ts';

interface Forgery {
  order?: Partial<OrderRow>;
  shipment?: Partial<ShipmentRow>;
  ledger?: Partial<LedgerEntry>;
  told?: Partial<Telling>[];
  twin?: Partial<OrderRow>;
  stranger?: boolean;
  openItem?: ItemRow;
  lastSend?: Partial<ItemRow>;
  manifestLines?: ManifestLine[];
  /** Makes the shipment a part of the order, beside one of this other part, `YA2`. */
  otherPart?: number;
  /** What the order's marketplace has; absent: the order came from none. */
  shopNumbers?: string[];
  pickup?: Partial<PickupRow>;
  couriers?: PickupEntry[];
  desk?: string[];
  /** Numbers of events, in the order the receiver took them; absent: all of them. */
  takenEvents?: number[];
  write?: (book: ClientBook) => void;
}

const ITEM: ItemRow = { id: 5, kind: 'send', status: 'succeeded', orderId: 1, failureKind: null, message: '' };
const COURIER: PickupEntry = { reference: 'PCHA00000003', confirmation: 'C1', isCancelled: false };
const EVENTS = [1, 2, 3];

/** Books that agree about one order with one confirmed label, one courier and three events, and what a test forges in them. */
function forge(forgery: Forgery = {}): Books {
  const { order, shipment, ledger, told, twin, stranger, openItem, manifestLines, write } = forgery;
  const { otherPart, lastSend, shopNumbers, pickup, couriers = [COURIER], desk = [], takenEvents = EVENTS } = forgery;
  const clients = new ClientBook();
  clients.accept({ company: 'one', orderNumber: shopNumbers ? '4/E1' : 'one-1', id: 1 });
  for (const telling of told ?? [{ asked: 'create' }, { asked: 'transmit' }]) {
    clients.tell({ asked: 'create', orderId: 1, shipmentId: null, outcome: 'success', message: '', ...telling });
  }
  write?.(clients);
  const orderRow: OrderRow = {
    id: 1,
    companyId: 1,
    orderNumber: 'one-1',
    status: 'transmitted',
    street: 'Via Torino 5',
    error: null,
    marketplace: shopNumbers ? 'ebay' : null,
    connectionId: shopNumbers ? 4 : null,
    externalId: shopNumbers ? 'E1' : null,
    externalNumber: null,
    isAutomatic: shopNumbers ? true : null,
    ...order,
  };
  const entry: LedgerEntry = {
    reference: 'REF1',
    labelsSold: 1,
    liveNumbers: ['YA1'],
    liveAddresses: ['VIA TORINO 5'],
    confirmedNumbers: ['YA1'],
    confirmed: 1,
    cancelled: 0,
    released: 0,
    trackingNumbers: ['YA1'],
    ...ledger,
  };
  const shop = { ...entry, ...NOTHING_SOLD, reference: 'E1', trackingNumbers: shopNumbers ?? [] };
  const entries: DeskEntry[] = desk.map((reason) => {
    return { company: 'one', shipmentId: 10, orderId: 1, reference: 'REF1', reasons: [reason], choices: [] };
  });
  const row: ShipmentRow = {
    id: 10,
    companyId: 1,
    orderId: 1,
    partId: otherPart === undefined ? null : 1,
    carrier: 'gls-it',
    direction: 'outbound',
    reference: 'REF1',
    status: 'transmitted',
    trackingStatus: null,
    attempt: 2,
    generation: 0,
    parcelCount: 1,
    trackingNumber: 'YA1',
    toldNumber: null,
    isDelivered: false,
    needsPerson: false,
    handedBack: false,
    isLabelMissing: false,
    failure: null,
    labels: 1,
    releases: 0,
    releasesMade: 0,
    isHeldOpen: false,
    ...shipment,
  };
  const other = { ...row, id: 11, reference: 'REF2', trackingNumber: 'YA2', partId: otherPart ?? null };
  const second = {
    ...entry,
    reference: 'REF2',
    liveNumbers: ['YA2'],
    confirmedNumbers: ['YA2'],
    trackingNumbers: ['YA2'],
  };
  const sold = otherPart === undefined ? [entry] : [entry, second];
  return {
    clients,
    ledgers: {
      'gls-it': stranger ? [entry, { ...entry, reference: 'NOBODYS' }] : sold,
      ebay: shopNumbers ? [shop] : [],
    },
    pickups: { ups: couriers },
    desk: entries,
    taken: takenEvents.map((sequence) => ({ company: 'one', id: `msg_${sequence}`, sequence, type: 'order.created' })),
    database: {
      orders: twin ? [orderRow, { ...orderRow, id: 2, ...twin }] : [orderRow],
      shipments: otherPart === undefined ? [row] : [row, other],
      attempts: [],
      openItems: openItem ? [openItem] : [],
      sends: lastSend ? [{ ...ITEM, ...lastSend }] : [],
      manifestLines: manifestLines ?? [],
      pickups: [{ id: 3, carrier: 'ups', status: 'booked', confirmation: 'C1', message: '', ...pickup }],
      events: EVENTS.map((sequence) => ({ company: 'one', sequence, type: 'order.created' })),
    },
  };
}

const NOTHING_SOLD = { labelsSold: 0, liveNumbers: [], confirmedNumbers: [], confirmed: 0, trackingNumbers: [] };
const CANCELLED = { ...NOTHING_SOLD, cancelled: 1, trackingNumbers: ['YA1'] };
const line = { manifestId: 1, orderId: 1, shipmentId: 10 };

const edited =
  (...edits: Edit[]) =>
  (book: ClientBook): void =>
    void book.edits.set(1, edits);

describe('the judge', () => {
  it('finds nothing in books that agree', () => {
    expect(compareBooks(forge())).toMatchObject({ orders: 1, labels: 1, pickups: 1, events: 3, findings: [] });
    expect(compareBooks(forge({ shopNumbers: ['YA1'] })).findings).toEqual([]);
  });

  it.each<[string, 'duplicate' | 'lost' | 'lie', Forgery]>([
    ['two labels for one parcel', 'duplicate', { ledger: { labelsSold: 2 } }],
    ['a label under a reference that nobody has', 'duplicate', { stranger: true }],
    ['a label for a refused shipment', 'duplicate', { shipment: { status: 'rejected' }, order: { status: 'error' } }],
    ['a label for a shipment that still waits', 'duplicate', { shipment: { status: 'queued', handedBack: true } }],
    ['an order that is there twice', 'duplicate', { twin: {} }],
    ['an order on two borderos', 'duplicate', { manifestLines: [line, { ...line, manifestId: 2 }] }],
    [
      'an accepted order that is not there',
      'lost',
      { write: (book) => book.accept({ company: 'one', orderNumber: 'one-9', id: 9 }) },
    ],
    ['a booked shipment without its label', 'lost', { ledger: CANCELLED }],
    ['a booked shipment without its label file', 'lost', { shipment: { labels: 0 } }],
    ['a shipment that stays open', 'lost', { shipment: { status: 'unknown_outcome' } }],
    ['an item that stays open', 'lost', { openItem: { ...ITEM, kind: 'cancel', status: 'pending' } }],
    ['a request that nobody answered', 'lost', { write: (book) => void book.unanswered.push('POST /orders') }],
    ['a bordero that lost an order', 'lost', { write: (book) => void book.manifests.push({ id: 1, orderIds: [1] }) }],
    [
      'two ids told for one order',
      'lie',
      { write: (book) => book.accept({ company: 'one', orderNumber: 'one-1', id: 7 }) },
    ],
    ['a label that was told and never sold', 'lie', { ledger: NOTHING_SOLD }],
    ['a confirmation that was told and never made', 'lie', { ledger: { confirmed: 0, confirmedNumbers: [] } }],
    ['another tracking number than the carrier has', 'lie', { shipment: { trackingNumber: 'YA2' } }],
    ['a cancellation that was told while the label lives', 'lie', { told: [{ asked: 'cancel', shipmentId: 10 }] }],
    [
      'a failure that was told while the label lives and the rows know nothing of it',
      'lie',
      { told: [{ outcome: 'failed', message: 'no' }], shipment: { status: 'rejected' }, order: { status: 'error' } },
    ],
    ['an order that says less than its shipment', 'lie', { order: { status: 'pending' } }],
    [
      'a release made twice for one decision',
      'duplicate',
      { shipment: { releases: 1, releasesMade: 2 }, ledger: { released: 1 } },
    ],
    [
      'a release that was told and never made',
      'lie',
      { told: [{ asked: 'create' }, { asked: 'release', shipmentId: 10 }] },
    ],
    ['a return label that was told and never sold', 'lie', { told: [{ asked: 'create' }, { asked: 'return' }] }],
    [
      'a shipment that needs a person while the desk is empty',
      'lie',
      { shipment: { status: 'unknown_outcome', needsPerson: true }, order: { status: 'error' } },
    ],
    ['a shop that was told twice', 'duplicate', { shopNumbers: ['YA1', 'YA1'] }],
    ['a shop with a number of no shipment', 'lie', { shopNumbers: ['YA1', 'YA7'] }],
    ['a shop that was not told by itself', 'lost', { shopNumbers: [] }],
    [
      'a shop that was told although its refusal was told',
      'lie',
      { shopNumbers: ['YA1'], lastSend: { status: 'failed', failureKind: 'permanent' } },
    ],
    [
      'a shop order that was bought and never imported',
      'lost',
      { write: (book) => void book.placed.push({ marketplace: 'ebay', connectionId: 4, externalId: 'E2' }) },
    ],
    ['two couriers for one pickup', 'duplicate', { couriers: [COURIER, { ...COURIER, confirmation: 'C2' }] }],
    ['a pickup that was told and never made', 'lie', { couriers: [] }],
    ['a courier that was told as cancelled and comes', 'lie', { pickup: { status: 'cancelled' } }],
    [
      'a live label to the street before a correction',
      'lie',
      { order: { street: 'Via Nuova 2' }, write: edited({ street: 'Via Nuova 2', outcome: 'done' }) },
    ],
    [
      'a live label to the street of an earlier correction',
      'lie',
      {
        order: { street: 'Via Nuova 3' },
        ledger: { liveAddresses: ['VIA NUOVA 2'] },
        write: edited({ street: 'Via Nuova 2', outcome: 'done' }, { street: 'Via Nuova 3', outcome: 'done' }),
      },
    ],
    [
      'a correction that was told and is not in the order',
      'lie',
      { ledger: { liveAddresses: [] }, write: edited({ street: 'Via Nuova 2', outcome: 'done' }) },
    ],
    [
      'a correction that was refused and is in the order',
      'lie',
      {
        order: { street: 'Via Nuova 2' },
        ledger: { liveAddresses: [] },
        write: edited({ street: 'Via Nuova 2', outcome: 'refused' }),
      },
    ],
    [
      'a label lost by a correction while the order says nothing',
      'lost',
      {
        shipment: { status: 'cancelled' },
        order: { status: 'shipment_created', street: 'Via Nuova 2' },
        ledger: CANCELLED,
        told: [{ asked: 'create' }],
        write: edited({ street: 'Via Nuova 2', outcome: 'done' }),
      },
    ],
    [
      'an order that was told as cancelled while its label lives',
      'lie',
      { order: { status: 'cancelled' }, told: [{ asked: 'create' }, { asked: 'cancel-order' }] },
    ],
    [
      'a cancelled order whose cancellation was refused',
      'lie',
      {
        shipment: { status: 'cancelled' },
        order: { status: 'cancelled' },
        ledger: CANCELLED,
        told: [{ asked: 'cancel-order', outcome: 'failed', message: '424' }],
      },
    ],
    ['an event that the receiver never got', 'lost', { takenEvents: [1, 2] }],
    ['an event that came before a smaller one', 'lie', { takenEvents: [1, 3, 2] }],
    ['an event that is not in the database', 'lie', { takenEvents: [1, 2, 3, 4] }],
  ])('finds %s', (_what, kind, forgery) => {
    const kinds = compareBooks(forge(forgery)).findings.map((finding) => finding.kind);

    expect(kinds).toContain(kind);
  });

  it('takes two parts for two shipments, whose numbers the shop has each, or both in one text', () => {
    const findings = (forgery: Forgery) => compareBooks(forge(forgery)).findings.map(({ kind, text }) => [kind, text]);

    expect(findings({ otherPart: 2, shopNumbers: ['YA1', 'YA2'] })).toEqual([]);
    expect(findings({ otherPart: 2, shopNumbers: ['YA1, YA2'] })).toEqual([]);
    expect(findings({ otherPart: 2, shopNumbers: ['YA1'] })).toEqual([
      ['lost', expect.stringContaining('was not told YA2')],
    ]);
    expect(findings({ otherPart: 1 })).toEqual([['duplicate', 'active twice: shipments 10, 11']]);
  });

  it('takes either street while the outcome of a correction is open', () => {
    const open = edited({ street: 'Via Nuova 2', outcome: 'unknown' });
    const findings = (forgery: Forgery) => compareBooks(forge({ ...forgery, write: open })).findings;

    expect(findings({})).toEqual([]);
    expect(findings({ order: { street: 'Via Nuova 2' }, ledger: { liveAddresses: ['VIA NUOVA 2'] } })).toEqual([]);
  });

  it('knows that a correction tells of a label, too', () => {
    const failed: Partial<Telling>[] = [{ outcome: 'failed', message: 'no' }, { asked: 'transmit' }];
    const findings = (edit: Edit) => {
      const order = { street: edit.street };
      const ledger = { liveAddresses: [edit.street] };
      return compareBooks(forge({ told: failed, order, ledger, write: edited(edit) })).findings;
    };

    expect(findings({ street: 'Via Nuova 2', outcome: 'done' })).toEqual([]);
    expect(findings({ street: 'Via Nuova 2', outcome: 'refused' }).map(({ text }) => text)).toContain(
      'never told but "no", and there are 1 live labels',
    );
  });

  it('tells an unknown booking from an unknown confirmation', () => {
    const findings = (message: string) => {
      const told: Partial<Telling>[] = [{ asked: 'create' }, { asked: 'transmit', outcome: 'unknown', message }];
      const shipment = { status: 'created' };
      return compareBooks(forge({ told, shipment, order: { status: 'shipment_created' } })).findings;
    };

    expect(findings('Unknown whether the label was sold: BRT answered 429')).toEqual([]);
    expect(findings('Unknown whether the shipment was confirmed')).toMatchObject([{ kind: 'lie' }]);
  });

  it('does not blame what a client asked to cancel', () => {
    const books = forge({
      ledger: CANCELLED,
      shipment: { status: 'cancelled' },
      order: { status: 'pending' },
      told: [{ asked: 'create' }, { asked: 'cancel', shipmentId: 10 }],
      write: (book) => book.cancelAsked.add(1),
    });

    expect(compareBooks(books).findings).toEqual([]);
  });

  it('counts what is left to a person, and does not blame it', () => {
    const unknown = { status: 'unknown_outcome', needsPerson: true };
    const told = [{ outcome: 'unknown' as const, message: 'Unknown whether the label was sold' }];
    const desk = ['outcome-unknown'];
    const verdict = compareBooks(forge({ shipment: unknown, order: { status: 'error' }, told, desk }));

    expect(verdict).toMatchObject({ stillUnknown: 1, needingPerson: 1, findings: [] });
  });

  it('lets the desk say that a shop has an old number, and calls it a lie when the desk is empty', () => {
    const dead = { ledger: CANCELLED, shipment: { status: 'cancelled' }, order: { status: 'pending' } };
    const told: Partial<Telling>[] = [{ asked: 'create' }, { asked: 'cancel', shipmentId: 10 }];
    const books: Forgery = { ...dead, told, shopNumbers: ['YA1'], write: (book) => book.cancelAsked.add(1) };

    expect(compareBooks(forge(books)).findings).toMatchObject([{ kind: 'lie' }]);
    expect(compareBooks(forge({ ...books, desk: ['marketplace-told-another-number'] })).findings).toEqual([]);
  });
});

describe('the seed', () => {
  it('gives the same storm again, and another one with another seed', () => {
    const draws = (seed: number): number[] => {
      const random = new Random(seed).fork('storm');
      return Array.from({ length: 20 }, () => random.int(1, 1000));
    };

    expect(draws(3)).toEqual(draws(3));
    expect(draws(3)).not.toEqual(draws(4));
  });
});

describe('a client whose line broke', () => {
  it.each([
    { key: undefined, mayHaveRun: true },
    { key: 'one', mayHaveRun: false },
  ])('doubts the refusal of its next try unless it has a key: $key', async ({ key, mayHaveRun }) => {
    let tries = 0;
    const server = createServer((request, response) => {
      tries += 1;
      if (tries === 1) request.socket.destroy();
      else response.writeHead(409).end('{}');
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const caller = new Caller({
      apiUrls: [`http://127.0.0.1:${(server.address() as AddressInfo).port}`],
      apiKey: 'key',
      random: new Random(1),
      book: new ClientBook(),
      deadline: () => Date.now() + 10_000,
    });

    const answer = await caller.ask({ method: 'PATCH', path: '/orders/1', body: {}, key });
    server.close();

    expect(answer).toMatchObject({ status: 409, mayHaveRun });
    expect(tries).toBe(2);
  });
});

describe('a small run', () => {
  it('leaves every order with one label, and everyone with the truth', { timeout: 170_000 }, async () => {
    const lines: string[] = [];
    const { report, books } = await runChaos({
      seed: 1,
      orders: 30,
      faults: 100,
      minutes: 0.2,
      queue: hasRedis() ? 'redis' : 'postgres',
      companies: 2,
      rate: 0.35,
      edits: 0.3,
      stormPauseMs: { min: 1500, max: 4000 },
      only: '',
      processes: { apis: 1, workers: 2, schedulers: 1 },
      settleSeconds: 100,
      // The others may be asked once a minute only.
      shops: ['woocommerce', 'shopify'],
      keep: false,
      log: (text) => lines.push(text),
      signal: new AbortController().signal,
    });

    expect(report.verdict.findings, `${lines.join('\n')}\n${explain(report.verdict, books)}`).toEqual([]);
    expect(report.deaths.filter((death) => death.wasReady)).toEqual([]);
    expect(report.verdict.orders).toBeGreaterThanOrEqual(30);
    expect(faultTotal(report)).toBeGreaterThan(0);
  });
});
