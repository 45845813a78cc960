import { Router } from 'express';
import { confirmationsOf } from '../order-partner.ts';
import type { LedgerEntry, SandboxPartner, SandboxWorld } from '../partner.ts';
import { numbersIn, ShopBooks, type ShopKind, type ShopState, trackingOf } from './woocommerce/books.ts';
import { shopRouter } from './woocommerce/shop.ts';

/** The parts of a path below the namespace, and what each method does there; the first match counts. */
const OPERATIONS: readonly (readonly [RegExp, Readonly<Record<string, string>>])[] = [
  [/^\/orders\/?$/, { GET: 'orders.list' }],
  [/^\/orders\/[^/]+\/?$/, { GET: 'orders.get', PUT: 'orders.update', DELETE: 'orders.delete' }],
  [/^\/orders\/[^/]+\/notes\/?$/, { GET: 'notes.list', POST: 'notes.create' }],
  [/^\/orders\/[^/]+\/refunds\/?$/, { GET: 'refunds.list', POST: 'refunds.create' }],
  [/^\/orders\/[^/]+\/fulfillments\/?$/, { GET: 'fulfillments.list', POST: 'fulfillments.create' }],
  [/^\/orders\/[^/]+\/fulfillments\/lookup\/?$/, { GET: 'fulfillments.lookup' }],
  [
    /^\/orders\/[^/]+\/fulfillments\/[^/]+\/?$/,
    { GET: 'fulfillments.get', PUT: 'fulfillments.update', DELETE: 'fulfillments.delete' },
  ],
  [
    /^\/orders\/[^/]+\/fulfillments\/[^/]+\/metadata\/?$/,
    { GET: 'fulfillment-metadata.get', PUT: 'fulfillment-metadata.update', DELETE: 'fulfillment-metadata.delete' },
  ],
  [/^\/orders\/[^/]+\/shipment-trackings\/?$/, { GET: 'shipment-trackings.list', POST: 'shipment-trackings.create' }],
  [/^\/orders\/[^/]+\/shipment-trackings\/providers\/?$/, { GET: 'shipment-trackings.providers' }],
  [
    /^\/orders\/[^/]+\/shipment-trackings\/[^/]+\/?$/,
    { GET: 'shipment-trackings.get', DELETE: 'shipment-trackings.delete' },
  ],
];

/**
 * Creates four simulated shops: one with core fulfilments at the root, and `shops/tracking`, `shops/ast` and `shops/note`, each
 * with its own orders. Keys: `ck_sandbox` / `cs_sandbox`, or `ck_sandbox_readonly` / `cs_sandbox_readonly`. Beside the protocol,
 * each shop takes orders at `_seed/orders` and shows the mails it sent at `_mails`.
 */
export function createWoocommerceSandbox(world: SandboxWorld): SandboxPartner {
  const shops: Readonly<Record<ShopKind, ShopBooks>> = {
    core: new ShopBooks('core', world),
    tracking: new ShopBooks('tracking', world),
    ast: new ShopBooks('ast', world),
    note: new ShopBooks('note', world),
  };
  const router = Router();
  for (const kind of ['tracking', 'ast', 'note'] as const) router.use(`/shops/${kind}`, shopRouter(shops[kind]));
  router.use(shopRouter(shops.core));

  return {
    id: 'woocommerce',
    operationOf: ({ method, path }) => operationOf(method, path),
    router,
    ledger: () => Object.values(shops).flatMap(ledgerOf),
    save: () => Object.fromEntries(Object.entries(shops).map(([kind, books]) => [kind, books.state])),
    load(state) {
      for (const [kind, saved] of Object.entries(state as Record<ShopKind, ShopState>))
        shops[kind as ShopKind].state = saved;
    },
  };
}

function operationOf(method: string, path: string): string | null {
  const [, below] = /^(?:\/shops\/[^/]+)?\/wp-json(\/.*)?$/.exec(path) ?? [];
  if (below === undefined || below === '/') return path.includes('/wp-json') ? 'index' : null;
  const resource = below.replace(/^\/[^/]+\/v\d+/, '');
  const found = OPERATIONS.find(([pattern]) => pattern.test(resource));
  return found?.[1][method] ?? null;
}

/** Lists what each order's customer was told: fulfilments, trackings and notes count as confirmations. */
function ledgerOf({ state }: ShopBooks): LedgerEntry[] {
  const fulfillments = Map.groupBy(state.fulfillments, ({ orderId }) => orderId);
  const trackings = Map.groupBy(state.trackings, ({ orderId }) => orderId);
  const notes = Map.groupBy(
    state.notes.filter(({ customer_note }) => customer_note),
    ({ orderId }) => orderId,
  );
  const deleted = Map.groupBy(state.deletedTrackings, (orderId) => orderId);
  return state.orders.map(({ body: { id, number } }) => {
    const all = fulfillments.get(id) ?? [];
    const live = all.filter(({ deletedAt }) => deletedAt === null);
    const rows = trackings.get(id) ?? [];
    const told = notes.get(id) ?? [];
    return confirmationsOf(number, {
      confirmed: live.length + rows.length + told.length,
      cancelled: all.length - live.length + (deleted.get(id)?.length ?? 0),
      trackingNumbers: [
        ...live.flatMap(trackingOf),
        ...rows.map(({ tracking_number }) => tracking_number),
        ...told.flatMap(({ note }) => numbersIn(note)),
      ],
    });
  });
}
