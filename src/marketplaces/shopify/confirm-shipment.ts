import { IntegrationError } from '../../lib/errors.ts';
import type { ConfirmedShipment, ShipmentConfirmation } from '../adapter.ts';
import { confirmOnce } from '../confirm-once.ts';
import { doubtAbout } from '../look-up.ts';
import type { ShopContext } from './account.ts';
import { ask } from './client.ts';
import { correctTracking } from './correct-tracking.ts';
import { CREATE_FULFILLMENT } from './operations.ts';
import { type Departure, planDepartures } from './plan.ts';
import { PROVIDER, refusalOfShipment, refuse } from './refusals.ts';
import { CreatedFulfillment } from './schema.ts';
import { alreadySent, missingPieces, readShopOrder, refuseOther, type ShopOrder } from './shipment.ts';
import { trackingInfoOf } from './tracking-info.ts';
import { requireScopes } from './verify-account.ts';

/** Refusals after which the order itself says more: another call, perhaps ours, was quicker. */
const ASK_THE_ORDER = new Set(['already_shipped', 'quantity_exceeded']);

/** Reads the order and what it already has of the shipment, then writes the missing pieces only, place by place. */
export async function confirmShipment(
  context: ShopContext,
  input: { confirmation: ShipmentConfirmation },
): Promise<ConfirmedShipment> {
  const confirmation = { ...input.confirmation, trackingNumber: input.confirmation.trackingNumber.trim() };
  if (confirmation.trackingNumber === '') throw refuse('tracking_invalid', 'The shipment has no tracking number');
  if (!/^\d+$/.test(confirmation.externalOrderId)) {
    throw refuse('order_not_found', `"${confirmation.externalOrderId}" is not the id of a Shopify order`);
  }
  return confirmOnce({
    async look() {
      const { order, departures, isCorrected } = await look(context, confirmation);
      if (departures.length > 0) return { write: () => write(context, { order, departures, confirmation }) };
      return { sent: { ...alreadySent(order, confirmation), alreadySent: !isCorrected } };
    },
    mayBeDone: ({ code }) => ASK_THE_ORDER.has(code),
  });
}

/**
 * No departures: the shop has the whole shipment already. Throws when it may not have what is missing. A fulfilment under a dead
 * number is corrected on the way, and its pieces then count as sent under the live one.
 */
async function look(
  context: ShopContext,
  confirmation: ShipmentConfirmation,
): Promise<{ order: ShopOrder; departures: Departure[]; isCorrected: boolean }> {
  const found = await readShopOrder(context, confirmation);
  const isCorrected = found !== null && found.dead.length > 0 && !found.isCancelled;
  if (isCorrected) for (const each of found.dead) await correctTracking(context, confirmation, each);
  const order = isCorrected ? await readShopOrder(context, confirmation) : found;
  if (!order) throw refuse('order_not_found', `The shop has no order ${confirmation.externalOrderId}`);
  const missing = missingPieces(order, confirmation);
  if (missing.size === 0 && order.same.length > 0) return { order, departures: [], isCorrected };
  if (order.isCancelled) throw refuse('order_not_shippable', `Order ${order.name} is cancelled in the shop`);
  const doubt = doubtAbout(order.unreadable, 'fulfilments');
  if (doubt) throw refuse('unknown', doubt);
  if (order.fulfillmentOrders.length === 0) throw await reasonForNothing(context, order);
  if (missing.size > 0) return { order, departures: planDepartures(order, missing), isCorrected };
  if (confirmation.lines.length === 0 && order.fulfillments.length > 0) throw refuseOther(order);
  throw refuse('validation', `Nothing of order ${order.name} is to be shipped`);
}

/** Fulfilment orders are not refused to whom may not read them, but left out; and an order has none while it is young. */
async function reasonForNothing(context: ShopContext, { name }: ShopOrder): Promise<IntegrationError> {
  await requireScopes(context);
  return new IntegrationError(`The shop has not yet decided from where order ${name} is shipped`, {
    kind: 'retryable',
    provider: PROVIDER,
    code: 'order_not_shippable',
  });
}

async function write(
  context: ShopContext,
  shipment: { order: ShopOrder; departures: Departure[]; confirmation: ShipmentConfirmation },
): Promise<ConfirmedShipment> {
  const { order, departures, confirmation } = shipment;
  const result = { ...alreadySent(order, confirmation), alreadySent: false };
  const ids = order.same.map(({ id }) => id);
  for (const departure of departures) {
    const created = await createFulfillment(context, confirmation, departure);
    const info = created.trackingInfo.find(({ number }) => number === confirmation.trackingNumber);
    ids.push(created.id);
    result.trackingCarrier ||= info?.company ?? '';
    result.trackingUrl ||= info?.url ?? '';
    result.status = created.order.displayFulfillmentStatus;
  }
  return { ...result, transactionId: ids.join(',') };
}

async function createFulfillment(context: ShopContext, confirmation: ShipmentConfirmation, departure: Departure) {
  const { account } = context;
  const fulfillment = {
    lineItemsByFulfillmentOrder: departure,
    notifyCustomer: account.notifyCustomer ?? true,
    trackingInfo: trackingInfoOf(account, confirmation),
  };
  const { fulfillmentCreate } = await ask(context, {
    operation: CREATE_FULFILLMENT,
    variables: { fulfillment },
    answer: CreatedFulfillment,
  });
  if (fulfillmentCreate.userErrors.length > 0) throw refusalOfShipment(fulfillmentCreate.userErrors);
  if (fulfillmentCreate.fulfillment) return fulfillmentCreate.fulfillment;
  throw new IntegrationError(`${PROVIDER} neither made nor refused the shipment`, {
    kind: 'unknown-outcome',
    provider: PROVIDER,
    code: 'answer-unreadable',
  });
}
