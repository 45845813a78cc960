import type { ConfirmedShipment, ShipmentConfirmation } from '../adapter.ts';
import { completeOrder, readOrder, type ShopContext } from './client.ts';
import { type LookByMechanism, lookByMechanism } from './detect.ts';
import type { Sent } from './mechanism.ts';
import { refuse } from './refusals.ts';
import { Line, type Order } from './schema.ts';

export interface ConfirmInput {
  confirmation: ShipmentConfirmation;
  detected: Record<string, unknown>;
}

const NOT_SHIPPABLE = new Set(['pending', 'on-hold', 'cancelled', 'refunded', 'failed', 'trash']);

/** Reads the order and what it already has of the shipment, then writes the missing half only: tracking, then completion. */
export async function confirmShipment(context: ShopContext, input: ConfirmInput): Promise<ConfirmedShipment> {
  const { confirmation } = input;
  if (confirmation.trackingNumber === '') throw refuse('tracking_invalid', 'The shipment has no tracking number');
  if (!/^\d+$/.test(confirmation.externalOrderId)) {
    throw refuse('order_not_found', `"${confirmation.externalOrderId}" is not the id of a WooCommerce order`);
  }
  const order = await readOrder(context, confirmation.externalOrderId);
  const parcels = confirmation.parts ?? [confirmation];
  const found: LookByMechanism[] = [];
  for (const [at, parcel] of parcels.entries()) {
    // Dead numbers are taken off once, with the last parcel.
    const replacedNumbers = at === parcels.length - 1 ? (confirmation.replacedNumbers ?? []) : [];
    const shipment = { order, confirmation: { ...confirmation, ...parcel, replacedNumbers } };
    found.push(await lookByMechanism(context, input.detected, shipment));
  }
  const detectAgain = found.some((each) => each.detectAgain) ? { detectAgain: true } : {};

  const isBlocked = NOT_SHIPPABLE.has(order.status);
  const completesOrder = found.some(({ mechanism }) => mechanism.completesOrder);
  const mustComplete = completesOrder && order.status !== 'completed';
  const { trackingNumber } = confirmation;
  const sent = found.flatMap(({ look }) => ('sent' in look ? look.sent : []));
  if (sent.length === found.length && (isBlocked || !mustComplete)) {
    return { alreadySent: true, ...shownOf(sent), trackingNumber, status: order.status, ...detectAgain };
  }
  if (isBlocked) throw refuse('order_not_shippable', `Order ${order.number} is "${order.status}" in the shop`);
  requireLines(order, confirmation);

  const written: Sent[] = [];
  for (const { look } of found) written.push('sent' in look ? look.sent : await look.write());
  const status = mustComplete ? await completeOrder(context, order.id) : order.status;
  return { alreadySent: false, ...shownOf(written), trackingNumber, status, ...detectAgain };
}

/** Shows the carrier and the link of the last parcel, and the ids of all. */
function shownOf(sent: readonly Sent[]): Sent {
  const last = sent.at(-1) ?? { trackingCarrier: '', trackingUrl: '' };
  return { ...last, transactionId: sent.map(({ transactionId }) => transactionId).join(',') };
}

function requireLines(order: Order, confirmation: ShipmentConfirmation): void {
  const ids = new Set((order.line_items ?? []).map((raw) => String(Line.safeParse(raw).data?.id)));
  const unknown = confirmation.lines.find(({ externalLineId }) => !ids.has(externalLineId));
  if (unknown) throw refuse('line_not_found', `Order ${order.number} has no line ${unknown.externalLineId}`);
}
