import type { ImportedOrder } from '../adapter.ts';

export const WAITING_ACCEPTANCE = 'WAITING_ACCEPTANCE';

/** All of `order_state` (official description, read 2026-11-21) but its deprecated values. */
const STATES: Readonly<Record<string, ImportedOrder['state']>> = {
  STAGING: 'held',
  [WAITING_ACCEPTANCE]: 'held',
  WAITING_DEBIT: 'held',
  WAITING_DEBIT_PAYMENT: 'held',
  SHIPPING: 'open',
  SHIPPED: 'shipped',
  TO_COLLECT: 'shipped',
  RECEIVED: 'shipped',
  CLOSED: 'shipped',
  REFUSED: 'cancelled',
  CANCELED: 'cancelled',
};

/** States of a line that will not leave although the rest of its order may. */
const DEAD_LINES = new Set(['REFUSED', 'CANCELED', 'REFUNDED']);

/** Returns our state of an order; undefined for one that we do not know. */
export function stateOf(order: { order_state: string }): ImportedOrder['state'] | undefined {
  return STATES[order.order_state];
}

export function isAlive({ order_line_state }: { order_line_state: string }): boolean {
  return !DEAD_LINES.has(order_line_state);
}
