import { refuse } from './refusals.ts';
import { numberOf } from './schema.ts';
import { add, type FulfillmentOrderToShip, type Pieces, refuseOther, type ShopOrder } from './shipment.ts';

/** One call's worth: fulfilment orders of one place, each with what goes out of it. */
export type Departure = { fulfillmentOrderId: string; fulfillmentOrderLineItems: { id: string; quantity: number }[] }[];

/** Divides what is missing among the fulfilment orders that may be fulfilled. Throws when they do not hold that much. */
export function planDepartures(order: ShopOrder, missing: Pieces): Departure[] {
  const left: Pieces = new Map(missing);
  const byPlace = new Map<string, Departure>();
  for (const fulfillmentOrder of order.fulfillmentOrders.filter(mayBeFulfilled)) {
    const lines = takeLines(fulfillmentOrder, left);
    if (lines.length === 0) continue;
    // The shop takes several of them in one call only when they are at one place.
    const place = fulfillmentOrder.assignedLocation.location?.id ?? fulfillmentOrder.id;
    const departure = byPlace.get(place) ?? [];
    departure.push({ fulfillmentOrderId: fulfillmentOrder.id, fulfillmentOrderLineItems: lines });
    byPlace.set(place, departure);
  }
  if (left.size > 0) throw reasonWhyNot(order, missing, left);
  return [...byPlace.values()];
}

function mayBeFulfilled({ supportedActions }: FulfillmentOrderToShip): boolean {
  return supportedActions.some(({ action }) => action === 'CREATE_FULFILLMENT');
}

function takeLines({ lines }: FulfillmentOrderToShip, left: Pieces): { id: string; quantity: number }[] {
  return lines.flatMap(({ id, lineItem, remainingQuantity }) => {
    const line = numberOf(lineItem.id);
    const quantity = Math.min(remainingQuantity, left.get(line) ?? 0);
    if (quantity <= 0) return [];
    add(left, line, -quantity);
    return [{ id, quantity }];
  });
}

function reasonWhyNot(order: ShopOrder, missing: Pieces, left: Pieces): Error {
  const holding = (line: string) =>
    order.fulfillmentOrders.flatMap((each) =>
      each.lines.filter(({ lineItem }) => numberOf(lineItem.id) === line).map((held) => ({ each, held })),
    );
  const unknown = [...left.keys()].find((line) => holding(line).length === 0);
  if (unknown !== undefined) return refuse('line_not_found', `Order ${order.name} has no line ${unknown} to ship`);

  const blocked = [...left.keys()]
    .flatMap(holding)
    .find(({ each, held }) => held.remainingQuantity > 0 && !mayBeFulfilled(each))?.each;
  if (blocked) {
    const words = [blocked.status, ...blocked.fulfillmentHolds.map(({ reason }) => reason)].join(', ');
    return refuse('order_not_shippable', `Order ${order.name} may not be shipped yet: ${words}`);
  }
  const isNothingLeft = [...missing.keys()].every((line) =>
    holding(line).every(({ held }) => held.remainingQuantity === 0),
  );
  if (isNothingLeft && order.fulfillments.length > 0) return refuseOther(order);
  return refuse('quantity_exceeded', `Order ${order.name} has fewer pieces left to ship than were sent`);
}
