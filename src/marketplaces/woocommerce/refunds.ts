import { z } from 'zod';
import { Big } from '../../lib/decimal.ts';
import { IntegrationError } from '../../lib/errors.ts';
import type { LookUp } from '../look-up.ts';
import { lookUp, type ShopContext } from './client.ts';
import { type Order, Refund, type RefundedLine } from './schema.ts';

/** Pieces and amounts that were taken off one line. */
export interface Refunded {
  pieces: number;
  /** Positive amounts; `net` is without `tax`. */
  net: Big;
  tax: Big;
}

/** The refunds of one order, by the id of its line; `isWhole` is false when some could not be read. */
export interface Refunds {
  lines: ReadonlyMap<string, Refunded>;
  isWhole: boolean;
}

const NO_REFUNDS: Refunds = { lines: new Map(), isWhole: true };
/** Failures that must not stop the other orders of a page. */
const ABOUT_THE_ORDER = new Set(['answer-unreadable', 'feature_disabled', 'order_not_found', 'validation']);
/** The shop's maximum; more refunds of one order are not expected. */
const PER_PAGE = 100;

/** Reads the refunded pieces of an order, where it has refunds: the order itself only tells their amounts. */
export async function readRefunds(context: ShopContext, order: Order): Promise<Refunds> {
  if (!order.refunds?.length) return NO_REFUNDS;
  const path = `wc/v3/orders/${order.id}/refunds`;
  let found: LookUp<z.infer<typeof Refund>>;
  try {
    found = await lookUp(context, {
      operation: 'refunds.list',
      path,
      query: { per_page: String(PER_PAGE) },
      schema: Refund,
    });
  } catch (error) {
    if (!(error instanceof IntegrationError) || !ABOUT_THE_ORDER.has(error.code)) throw error;
    context.log.warn({ err: error, orderId: order.id }, 'refunds not read');
    return { lines: new Map(), isWhole: false };
  }
  const lines = new Map<string, Refunded>();
  for (const line of found.elements.flatMap(({ line_items }) => line_items)) {
    const id = refundedId(line);
    if (id === '' || line.quantity === 0) continue;
    const before = lines.get(id) ?? { pieces: 0, net: new Big(0), tax: new Big(0) };
    lines.set(id, {
      pieces: before.pieces + Math.abs(line.quantity),
      net: before.net.plus(new Big(line.total || 0).abs()),
      tax: before.tax.plus(new Big(line.total_tax || 0).abs()),
    });
  }
  return { lines, isWhole: found.unreadable === 0 };
}

function refundedId({ meta_data }: RefundedLine): string {
  const value = meta_data.find(({ key }) => key === '_refunded_item_id')?.value;
  return z.union([z.string(), z.number()]).transform(String).catch('').parse(value);
}
