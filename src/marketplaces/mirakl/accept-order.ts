import { IntegrationError } from '../../lib/errors.ts';
import { type MiraklContext, putMirakl } from './client.ts';
import { readLines } from './lines.ts';
import { WAITING_ACCEPTANCE } from './order-states.ts';
import type { Order } from './schema.ts';

/**
 * Accepts every line of an order that waits for the shop's decision, if the account wants that. Returns the
 * sentence with which the order is held; empty for one that does not wait. Throws when the same may succeed later.
 */
export async function acceptOrder(context: MiraklContext, order: Order): Promise<string> {
  if (order.order_state !== WAITING_ACCEPTANCE) return '';
  if (!context.account.acceptOrders) return 'The order waits to be accepted: accept it at the marketplace first';
  const lines = readLines(order).map((line) => line?.order_line_id);
  if (lines.length === 0 || lines.includes(undefined)) {
    return 'The order was not accepted, since its lines could not be read: accept it at the marketplace first';
  }
  try {
    await putMirakl(context, {
      operation: 'OR21',
      path: `orders/${encodeURIComponent(order.order_id)}/accept`,
      body: { order_lines: lines.map((id) => ({ id, accepted: true })) },
    });
  } catch (error) {
    if (!(error instanceof IntegrationError) || error.kind !== 'permanent') throw error;
    return `The order could not be accepted: ${error.message}`;
  }
  return 'The order was accepted just now: it can be shipped once the marketplace says so';
}
