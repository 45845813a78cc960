import { statusesBefore, type Transitions } from './machine.ts';

export const ORDER_STATUSES = [
  'pending',
  'shipment_created',
  'transmitted',
  'manifested',
  'shipped',
  'delivered',
  'held',
  'returned',
  'cancelled',
  'error',
] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

/** All allowed changes of an order's status. A carrier may be faster than our records, so statuses may be skipped. */
export const ORDER_TRANSITIONS: Transitions<OrderStatus> = {
  pending: ['shipment_created', 'error', 'cancelled'],
  error: ['shipment_created', 'pending', 'cancelled', 'error'],
  shipment_created: ['transmitted', 'manifested', 'shipped', 'delivered', 'held', 'returned', 'pending', 'cancelled'],
  transmitted: ['manifested', 'shipped', 'delivered', 'held', 'returned', 'pending', 'cancelled'],
  manifested: ['transmitted', 'shipment_created', 'shipped', 'delivered', 'held', 'returned'],
  shipped: ['delivered', 'held', 'returned'],
  held: ['shipped', 'delivered', 'returned'],
  delivered: [],
  returned: [],
  cancelled: ['pending'],
};

export function orderStatusesBefore(to: OrderStatus): OrderStatus[] {
  return statusesBefore(ORDER_TRANSITIONS, to);
}
