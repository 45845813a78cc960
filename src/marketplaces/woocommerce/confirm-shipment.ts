import type { ConfirmedShipment, ShipmentConfirmation } from '../adapter.ts';
import { completeOrder, readOrder, type ShopContext } from './client.ts';
import { lookByMechanism } from './detect.ts';
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
  const found = await lookByMechanism(context, input.detected, { order, confirmation });
  const { look, mechanism } = found;
  const detectAgain = found.detectAgain ? { detectAgain: true } : {};

  const isBlocked = NOT_SHIPPABLE.has(order.status);
  const mustComplete = mechanism.completesOrder && order.status !== 'completed';
  const { trackingNumber } = confirmation;
  if ('sent' in look && (isBlocked || !mustComplete)) {
    return { alreadySent: true, ...look.sent, trackingNumber, status: order.status, ...detectAgain };
  }
  if (isBlocked) throw refuse('order_not_shippable', `Order ${order.number} is "${order.status}" in the shop`);
  requireLines(order, confirmation);

  const sent = 'sent' in look ? look.sent : await look.write();
  const status = mustComplete ? await completeOrder(context, order.id) : order.status;
  return { alreadySent: false, ...sent, trackingNumber, status, ...detectAgain };
}

function requireLines(order: Order, confirmation: ShipmentConfirmation): void {
  const ids = new Set((order.line_items ?? []).map((raw) => String(Line.safeParse(raw).data?.id)));
  const unknown = confirmation.lines.find(({ externalLineId }) => !ids.has(externalLineId));
  if (unknown) throw refuse('line_not_found', `Order ${order.number} has no line ${unknown.externalLineId}`);
}
