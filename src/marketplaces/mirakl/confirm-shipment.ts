import type { ConfirmedShipment, ShipmentConfirmation } from '../adapter.ts';
import { confirmOnce } from '../confirm-once.ts';
import { carrierOf } from './carriers.ts';
import { findOrder, type MiraklContext } from './client.ts';
import { stateOf } from './order-states.ts';
import { refuse } from './refusals.ts';
import type { Order } from './schema.ts';
import { severalShipments } from './several-shipments.ts';
import { wholeOrder } from './whole-order.ts';

/** Reads the order and what it already has of the shipment, then writes only what is missing. */
export async function confirmShipment(
  context: MiraklContext,
  input: { confirmation: ShipmentConfirmation; detected: Record<string, unknown> },
): Promise<ConfirmedShipment> {
  // The links of registered carriers are made from it.
  const trackingNumber = input.confirmation.trackingNumber.replace(/\s+/g, '');
  if (trackingNumber === '') throw refuse('tracking_invalid', 'The shipment has no tracking number');
  const confirmation = { ...input.confirmation, trackingNumber };
  const carrier = carrierOf(context.account, confirmation, input.detected);
  const mechanism = context.account.multipleShipments ? severalShipments : wholeOrder;
  return confirmOnce({
    async look() {
      const order = await readShippable(context, confirmation);
      const found = await mechanism(context, { confirmation, carrier, order });
      if ('sent' in found) return { sent: { alreadySent: true, ...found.sent } };
      return { write: async () => ({ alreadySent: false, ...(await found.write()) }) };
    },
    // Mirakl's words do not tell whether it refuses because it has the shipment.
    mayBeDone: ({ kind }) => kind === 'permanent',
  });
}

/** A shipped order is not refused here: it may be our shipment. */
async function readShippable(context: MiraklContext, { externalOrderId }: ShipmentConfirmation): Promise<Order> {
  const order = await findOrder(context, externalOrderId);
  if (!order) throw refuse('order_not_found', `The shop has no order ${externalOrderId}`);
  const state = stateOf(order);
  if (state === 'open' || state === 'shipped') return order;
  throw refuse('order_not_shippable', `Order ${order.order_id} is "${order.order_state}" at Mirakl`);
}
