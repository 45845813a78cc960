import { spellingsOf } from '../carrier-names.ts';
import type { LookUp } from '../look-up.ts';
import { minus, type Pieces, requireLeft, sumPieces } from '../pieces.ts';
import { callShop, lookUp, type ShopCall, type ShopContext } from './client.ts';
import { isReplaced, type Mechanism, requireWhole, type Sent, type Shipment } from './mechanism.ts';
import { orderedPieces, piecesOf } from './pieces.ts';
import { refuse } from './refusals.ts';
import { Deleted, FulfilledItems, Fulfillment } from './schema.ts';

/** The `_shipment_provider` key of a carrier that the core does not know: its name is then not stored. */
const CUSTOM_PROVIDER = 'other';

/**
 * Core order fulfilments. The shop checks neither duplicates nor quantities (its own source, read 2026-11-21): both
 * guards are ours.
 */
export const coreFulfillments: Mechanism = {
  completesOrder: false,
  async look(context, shipment) {
    const { confirmation } = shipment;
    const wanted = piecesOf(shipment);
    const found = await listFulfillments(context, shipment.order.id);
    const existing = found.elements.filter((each) => each.date_deleted === '');
    const same = existing.filter((each) => numberOf(each) === confirmation.trackingNumber);
    const draft = same.find((each) => !each.is_fulfilled);
    const done = same.filter((each) => each.is_fulfilled);
    const dead = existing.filter((each) => each.is_fulfilled && isReplaced(shipment, numberOf(each)));
    const missing = minus(wanted, piecesIn(done));

    if (done[0] && missing.size === 0) return settle(context, { shipment, sent: sentOf(done[0], shipment), dead });
    return {
      write: async () => {
        requireWhole(found, 'fulfilments');
        if (draft) return sentOf(await fulfil(context, shipment, draft), shipment);
        const shipped = existing.filter((each) => each.is_fulfilled && !dead.includes(each));
        const left = minus(orderedPieces(shipment.order), piecesIn(shipped));
        requireLeft(refuse, { order: shipment.order.number, missing, left });
        const [first, ...others] = dead;
        if (!first) return sentOf(await create(context, shipment, missing), shipment);
        for (const each of others) await remove(context, shipment, each);
        return sentOf(await correct(context, { shipment, missing, dead: first }), shipment);
      },
    };
  },
};

/** The live number is there: what is left under a dead one only misleads. */
function settle(
  context: ShopContext,
  { shipment, sent, dead }: { shipment: Shipment; sent: Sent; dead: Fulfillment[] },
): ReturnType<Mechanism['look']> {
  const write = async (): Promise<Sent> => {
    for (const each of dead) await remove(context, shipment, each);
    return sent;
  };
  return Promise.resolve(dead.length === 0 ? { sent } : { write });
}

/** Throws `feature_disabled` where the feature is off. */
export function listFulfillments(context: ShopContext, orderId: number): Promise<LookUp<Fulfillment>> {
  const path = `wc/v3/orders/${orderId}/fulfillments`;
  return lookUp(context, { operation: 'fulfillments.list', path, schema: Fulfillment });
}

function create(context: ShopContext, shipment: Shipment, pieces: Pieces): Promise<Fulfillment> {
  const path = pathOf(shipment);
  return write(context, shipment, {
    call: { operation: 'fulfillments.create', method: 'POST', path },
    meta_data: tracking(context, shipment, pieces),
  });
}

/** Turns a person's draft into the shipment. Every key is sent back, because the shop forgets those that are not. */
function fulfil(context: ShopContext, shipment: Shipment, draft: Fulfillment): Promise<Fulfillment> {
  return write(context, shipment, {
    call: { operation: 'fulfillments.update', method: 'PUT', path: pathOf(shipment, draft) },
    meta_data: draft.meta_data.map(({ key, value }) => ({ key, value })),
  });
}

/** Puts the live number, carrier and link in the place of those of a cancelled label. */
function correct(
  context: ShopContext,
  { shipment, missing, dead }: { shipment: Shipment; missing: Pieces; dead: Fulfillment },
): Promise<Fulfillment> {
  const changed = tracking(context, shipment, missing);
  const kept = dead.meta_data.filter(({ key }) => !changed.some((each) => each.key === key));
  return write(context, shipment, {
    call: { operation: 'fulfillments.update', method: 'PUT', path: pathOf(shipment, dead) },
    meta_data: [...kept.map(({ key, value }) => ({ key, value })), ...changed],
  });
}

async function remove(context: ShopContext, shipment: Shipment, dead: Fulfillment): Promise<void> {
  const call: ShopCall = { operation: 'fulfillments.delete', method: 'DELETE', path: pathOf(shipment, dead) };
  await callShop(context, call, Deleted);
}

interface Meta {
  key: string;
  value?: unknown;
}

async function write(
  context: ShopContext,
  { confirmation }: Shipment,
  { call, meta_data }: { call: Omit<ShopCall, 'body'>; meta_data: Meta[] },
): Promise<Fulfillment> {
  const body = { status: 'fulfilled', is_fulfilled: true, notify_customer: true, meta_data };
  const written = Fulfillment.refine((each) => each.is_fulfilled && numberOf(each) === confirmation.trackingNumber);
  return (await callShop(context, { ...call, body }, written)).data;
}

function tracking(context: ShopContext, { confirmation }: Shipment, pieces: Pieces): Meta[] {
  const { carrierId, trackingNumber } = confirmation;
  const [known = CUSTOM_PROVIDER] = spellingsOf(carrierId, 'woocommerce');
  return [
    // A quoted item id is refused as "Invalid item.".
    { key: '_items', value: [...pieces].map(([item_id, qty]) => ({ item_id: Number(item_id), qty })) },
    { key: '_tracking_number', value: trackingNumber },
    { key: '_shipment_provider', value: context.account.carrierNames?.[carrierId] ?? known },
    { key: '_tracking_url', value: confirmation.trackingUrl },
  ];
}

function pathOf({ order }: Shipment, fulfillment?: Fulfillment): string {
  const path = `wc/v3/orders/${order.id}/fulfillments`;
  return fulfillment ? `${path}/${fulfillment.id}` : path;
}

function piecesIn(fulfillments: Fulfillment[]): Pieces {
  const items = fulfillments.flatMap(
    ({ meta_data }) => FulfilledItems.safeParse(meta_data.find(({ key }) => key === '_items')?.value).data ?? [],
  );
  return sumPieces(items.map(({ item_id, qty }) => [String(item_id), qty]));
}

function sentOf(fulfillment: Fulfillment, { confirmation }: Shipment): Sent {
  const provider = metaText(fulfillment, '_shipment_provider');
  return {
    transactionId: String(fulfillment.id),
    trackingCarrier: provider && provider !== CUSTOM_PROVIDER ? provider : confirmation.carrierName,
    trackingUrl: metaText(fulfillment, '_tracking_url') || confirmation.trackingUrl,
  };
}

function numberOf(fulfillment: Fulfillment): string {
  return metaText(fulfillment, '_tracking_number');
}

function metaText(fulfillment: Fulfillment, wanted: string): string {
  const value = fulfillment.meta_data.find(({ key }) => key === wanted)?.value;
  return value === undefined || value === null ? '' : String(value);
}
