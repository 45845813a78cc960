import type { OperationItem, OperationKind } from '../db/entities/index.ts';

/** One item of an operation as answers show it. */
export type ItemView = Pick<
  OperationItem,
  'orderId' | 'shipmentId' | 'pickupId' | 'connectionId' | 'status' | 'message' | 'result' | 'failureKind' | 'settledAt'
>;

/**
 * Elements of a batch whose orders or parts do not exist, by their place in the answer. They get no rows, because ids cost
 * nothing to invent.
 */
export interface UnknownOrders {
  places: number[];
  orderIds: number[];
  /** The refusals of parts that do not exist; null: of an order. Absent: all are of orders. */
  messages?: (string | null)[];
}

/** Returns the refusal of an order that does not exist. */
export function unknownOrder(kind: OperationKind, orderId: number): string {
  return kind === 'transmit' ? 'The order has no shipment: create it first' : `There is no order ${orderId}`;
}

/** Puts the refusals of unknown orders between the items, each at its place. */
export function withUnknownOrders(
  kind: OperationKind,
  items: readonly ItemView[],
  { places, orderIds, messages }: UnknownOrders,
): ItemView[] {
  const refused = new Map(
    places.map((place, index) => {
      const orderId = orderIds[index] ?? 0;
      return [place, { orderId, message: messages?.[index] ?? unknownOrder(kind, orderId) }];
    }),
  );
  const rest = items.values();
  return Array.from({ length: items.length + refused.size }, (_, place) => {
    const unknown = refused.get(place);
    return unknown ? refusedItem(unknown) : rest.next().value;
  }).filter((item) => item !== undefined);
}

function refusedItem({ orderId, message }: { orderId: number; message: string }): ItemView {
  return {
    orderId,
    shipmentId: null,
    pickupId: null,
    connectionId: null,
    status: 'failed',
    message,
    result: null,
    failureKind: null,
    settledAt: new Date(0),
  };
}
