import type { OperationItem, OperationKind } from '../db/entities/index.ts';

/** One item of an operation as answers show it. */
export type ItemView = Pick<
  OperationItem,
  'orderId' | 'shipmentId' | 'pickupId' | 'status' | 'message' | 'result' | 'failureKind' | 'settledAt'
>;

/** Elements of a batch whose orders do not exist, by their place in the answer. They get no rows, because ids cost nothing to invent. */
export interface UnknownOrders {
  places: number[];
  orderIds: number[];
}

/** Returns the refusal of an order that does not exist. */
export function unknownOrder(kind: OperationKind, orderId: number): string {
  return kind === 'transmit' ? 'The order has no shipment: create it first' : `There is no order ${orderId}`;
}

/** Puts the refusals of unknown orders between the items, each at its place. */
export function withUnknownOrders(
  kind: OperationKind,
  items: readonly ItemView[],
  { places, orderIds }: UnknownOrders,
): ItemView[] {
  const refused = new Map(places.map((place, index) => [place, orderIds[index] ?? 0]));
  const rest = items.values();
  return Array.from({ length: items.length + refused.size }, (_, place) => {
    const orderId = refused.get(place);
    return orderId === undefined ? rest.next().value : refusedItem(kind, orderId);
  }).filter((item) => item !== undefined);
}

function refusedItem(kind: OperationKind, orderId: number): ItemView {
  return {
    orderId,
    shipmentId: null,
    pickupId: null,
    status: 'failed',
    message: unknownOrder(kind, orderId),
    result: null,
    failureKind: null,
    settledAt: new Date(0),
  };
}
