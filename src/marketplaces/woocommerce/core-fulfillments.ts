import { CORE_PROVIDERS, CUSTOM_PROVIDER } from './carrier-names.ts';
import { callShop, type ShopCall, type ShopContext } from './client.ts';
import type { Mechanism, Sent, Shipment } from './mechanism.ts';
import { refuse } from './refusal.ts';
import { FulfilledItems, Fulfillment, FulfillmentList, Line } from './schema.ts';

type Pieces = Map<number, number>;

/**
 * Core order fulfilments. The shop checks neither duplicates nor quantities (its own source, read 2026-11-21): both
 * guards are ours.
 */
export const coreFulfillments: Mechanism = {
  completesOrder: false,
  async look(context, shipment) {
    const { confirmation } = shipment;
    const wanted = piecesOf(shipment);
    const existing = (await listFulfillments(context, shipment.order.id)).filter((each) => each.date_deleted === '');
    const same = existing.filter((each) => metaText(each, '_tracking_number') === confirmation.trackingNumber);
    const draft = same.find((each) => !each.is_fulfilled);
    const done = same.filter((each) => each.is_fulfilled);
    const missing = minus(wanted, sum(done));

    if (done[0] && missing.size === 0) return { sent: sentOf(done[0], shipment) };
    if (draft) return { write: async () => sentOf(await fulfil(context, shipment, draft), shipment) };
    return {
      write: async () => {
        requirePieces(shipment, missing, sum(existing.filter((each) => each.is_fulfilled)));
        return sentOf(await create(context, shipment, missing), shipment);
      },
    };
  },
};

/** Throws `feature_disabled` where the feature is off. */
export async function listFulfillments(context: ShopContext, orderId: number): Promise<Fulfillment[]> {
  const path = `wc/v3/orders/${orderId}/fulfillments`;
  return (await callShop(context, { operation: 'fulfillments.list', method: 'GET', path }, FulfillmentList)).data;
}

async function create(context: ShopContext, { order, confirmation }: Shipment, pieces: Pieces): Promise<Fulfillment> {
  const { carrierId, trackingNumber, trackingUrl } = confirmation;
  const provider = context.account.carrierNames?.[carrierId] ?? CORE_PROVIDERS[carrierId] ?? CUSTOM_PROVIDER;
  const body = {
    status: 'fulfilled',
    is_fulfilled: true,
    notify_customer: true,
    meta_data: [
      // A quoted item id is refused as "Invalid item.".
      { key: '_items', value: [...pieces].map(([item_id, qty]) => ({ item_id, qty })) },
      { key: '_tracking_number', value: trackingNumber },
      { key: '_shipment_provider', value: provider },
      { key: '_tracking_url', value: trackingUrl },
    ],
  };
  const path = `wc/v3/orders/${order.id}/fulfillments`;
  return (await callShop(context, { operation: 'fulfillments.create', method: 'POST', path, body }, Fulfillment)).data;
}

/** Turns a person's draft into the shipment. Every key is sent back, because the shop forgets those that are not. */
async function fulfil(context: ShopContext, { order }: Shipment, draft: Fulfillment): Promise<Fulfillment> {
  const meta_data = draft.meta_data.map(({ key, value }) => ({ key, value }));
  const call: ShopCall = {
    operation: 'fulfillments.update',
    method: 'PUT',
    path: `wc/v3/orders/${order.id}/fulfillments/${draft.id}`,
    body: { status: 'fulfilled', is_fulfilled: true, notify_customer: true, meta_data },
  };
  return (await callShop(context, call, Fulfillment)).data;
}

function piecesOf({ order, confirmation }: Shipment): Pieces {
  if (confirmation.lines.length === 0) return requireAny(orderedPieces(order));
  const pieces: Pieces = new Map();
  for (const { externalLineId, quantity } of confirmation.lines) {
    if (quantity > 0) pieces.set(Number(externalLineId), (pieces.get(Number(externalLineId)) ?? 0) + quantity);
  }
  return requireAny(pieces);
}

function requireAny(pieces: Pieces): Pieces {
  if (pieces.size === 0) throw refuse('validation', 'The shipment has no lines to confirm');
  return pieces;
}

function orderedPieces(order: Shipment['order']): Pieces {
  const ordered: Pieces = new Map();
  for (const raw of order.line_items ?? []) {
    const line = Line.safeParse(raw);
    if (line.success && line.data.quantity > 0) ordered.set(line.data.id, line.data.quantity);
  }
  return ordered;
}

function requirePieces({ order }: Shipment, wanted: Pieces, shipped: Pieces): void {
  const left = minus(orderedPieces(order), shipped);
  if (minus(wanted, left).size === 0) return;
  const nothingLeft = [...wanted.keys()].every((id) => !left.has(id));
  if (nothingLeft)
    throw refuse('already_shipped', `Order ${order.number} was already shipped with another tracking number`);
  throw refuse('quantity_exceeded', `Order ${order.number} has fewer pieces left to ship than were sent`);
}

function sum(fulfillments: Fulfillment[]): Pieces {
  const pieces: Pieces = new Map();
  for (const { meta_data } of fulfillments) {
    const items = FulfilledItems.safeParse(meta_data.find(({ key }) => key === '_items')?.value);
    for (const { item_id, qty } of items.data ?? []) pieces.set(item_id, (pieces.get(item_id) ?? 0) + qty);
  }
  return pieces;
}

/** What remains of `pieces`; lines of which nothing remains are left out. */
function minus(pieces: Pieces, taken: Pieces): Pieces {
  return new Map(
    [...pieces].map(([id, qty]) => [id, qty - (taken.get(id) ?? 0)] as const).filter(([, qty]) => qty > 0),
  );
}

function sentOf(fulfillment: Fulfillment, { confirmation }: Shipment): Sent {
  const provider = metaText(fulfillment, '_shipment_provider');
  return {
    transactionId: String(fulfillment.id),
    trackingCarrier: provider && provider !== CUSTOM_PROVIDER ? provider : confirmation.carrierName,
    trackingUrl: metaText(fulfillment, '_tracking_url') || confirmation.trackingUrl,
  };
}

function metaText(fulfillment: Fulfillment, wanted: string): string {
  const value = fulfillment.meta_data.find(({ key }) => key === wanted)?.value;
  return value === undefined || value === null ? '' : String(value);
}
