import { describe, expect, it } from 'vitest';
import { type Books, compareBooks } from '../../chaos/compare-books.ts';
import type { ManifestLine, OpenItemRow, OrderRow, ShipmentRow } from '../../chaos/database-book.ts';
import { Random } from '../../chaos/random.ts';
import { hasRedis } from '../../chaos/redis.ts';
import { explain, faultTotal } from '../../chaos/report.ts';
import { runChaos } from '../../chaos/run-chaos.ts';
import { ClientBook, type Telling } from '../../chaos/told.ts';
import type { LedgerEntry } from '../../src/sandbox/partner.ts';

interface Forgery {
  order?: Partial<OrderRow>;
  shipment?: Partial<ShipmentRow>;
  ledger?: Partial<LedgerEntry>;
  told?: Partial<Telling>[];
  twin?: Partial<OrderRow>;
  stranger?: boolean;
  openItem?: OpenItemRow;
  manifestLines?: ManifestLine[];
  write?: (book: ClientBook) => void;
}

/** Three books that agree about one order with one confirmed label, and what a test forges in them. */
function forge({ order, shipment, ledger, told, twin, stranger, openItem, manifestLines, write }: Forgery = {}): Books {
  const clients = new ClientBook();
  clients.accept({ company: 'one', orderNumber: 'one-1', id: 1 });
  for (const telling of told ?? [{ asked: 'create' }, { asked: 'transmit' }]) {
    clients.tell({ asked: 'create', orderId: 1, shipmentId: null, outcome: 'success', message: '', ...telling });
  }
  write?.(clients);
  const orderRow: OrderRow = { id: 1, orderNumber: 'one-1', status: 'transmitted', error: null, ...order };
  const entry: LedgerEntry = {
    reference: 'REF1',
    labelsSold: 1,
    liveNumbers: ['YA1'],
    confirmedNumbers: ['YA1'],
    confirmed: 1,
    cancelled: 0,
    released: 0,
    trackingNumbers: ['YA1'],
    ...ledger,
  };
  return {
    clients,
    ledger: stranger ? [entry, { ...entry, reference: 'NOBODYS' }] : [entry],
    database: {
      orders: twin ? [orderRow, { ...orderRow, id: 2, ...twin }] : [orderRow],
      shipments: [
        {
          id: 10,
          orderId: 1,
          reference: 'REF1',
          status: 'transmitted',
          attempt: 2,
          generation: 0,
          parcelCount: 1,
          trackingNumber: 'YA1',
          needsPerson: false,
          handedBack: false,
          failure: null,
          labels: 1,
          ...shipment,
        },
      ],
      attempts: [],
      openItems: openItem ? [openItem] : [],
      manifestLines: manifestLines ?? [],
    },
  };
}

const NOTHING_SOLD = { labelsSold: 0, liveNumbers: [], confirmedNumbers: [], confirmed: 0, trackingNumbers: [] };
const CANCELLED = { ...NOTHING_SOLD, cancelled: 1, trackingNumbers: ['YA1'] };
const line = { manifestId: 1, orderId: 1 };

describe('the judge', () => {
  it('finds nothing in books that agree', () => {
    expect(compareBooks(forge())).toEqual({
      orders: 1,
      labels: 1,
      stillUnknown: 0,
      needingPerson: 0,
      handedBack: 0,
      findings: [],
    });
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
    ['an item that stays open', 'lost', { openItem: { id: 5, kind: 'cancel', status: 'pending', orderId: 1 } }],
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
  ])('finds %s', (_what, kind, forgery) => {
    const kinds = compareBooks(forge(forgery)).findings.map((finding) => finding.kind);

    expect(kinds).toContain(kind);
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
    const told = [{ outcome: 'failed' as const, message: 'Nobody knows whether the label was sold' }];
    const verdict = compareBooks(forge({ shipment: unknown, order: { status: 'error' }, told }));

    expect(verdict).toMatchObject({ stillUnknown: 1, needingPerson: 1, findings: [] });
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

describe('a small run', () => {
  it('leaves every order with one label, and everyone with the truth', { timeout: 170_000 }, async () => {
    const lines: string[] = [];
    const { report, books } = await runChaos({
      seed: 1,
      orders: 80,
      faults: 0,
      minutes: 0.3,
      queue: hasRedis() ? 'redis' : 'postgres',
      companies: 3,
      rate: 0.35,
      stormPauseMs: { min: 1500, max: 4000 },
      only: '',
      processes: { apis: 1, workers: 2, schedulers: 1 },
      settleSeconds: 100,
      keep: false,
      log: (text) => lines.push(text),
      signal: new AbortController().signal,
    });

    expect(report.verdict.findings, `${lines.join('\n')}\n${explain(report.verdict, books)}`).toEqual([]);
    expect(report.deaths.filter((death) => death.wasReady)).toEqual([]);
    expect(report.verdict.orders).toBe(80);
    expect(faultTotal(report)).toBeGreaterThan(0);
  });
});
