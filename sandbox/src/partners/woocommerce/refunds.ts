import type { ShopBooks, StoredOrder, StoredRefund } from './books.ts';
import { shopTime } from './render.ts';

export function refundsOf(books: ShopBooks, order: StoredOrder): StoredRefund[] {
  return books.state.refunds.filter(({ orderId }) => orderId === order.body.id);
}

/** Takes an amount, and of each line named its `quantity`, `refund_total` and the sum of its `refund_tax`. */
export function createRefund(books: ShopBooks, order: StoredOrder, given: Record<string, unknown>): StoredRefund {
  const refund: StoredRefund = {
    id: books.takeId(),
    orderId: order.body.id,
    createdAt: books.world.now().toISOString(),
    amount: String(given.amount ?? '0.00'),
    reason: String(given.reason ?? ''),
    lines: listOf(given.line_items).map((line) => {
      const taxes = listOf(line.refund_tax).map((tax) => Number(tax.refund_total ?? 0));
      return {
        id: books.takeId(),
        refundedId: Number(line.id),
        quantity: Number(line.quantity ?? 0),
        total: Number(line.refund_total ?? 0),
        tax: taxes.reduce((sum, tax) => sum + tax, 0),
      };
    }),
  };
  books.state.refunds.push(refund);
  const total_tax = refund.lines.reduce((sum, { tax }) => sum + tax, 0);
  // The order shows no more than this of its refunds; recorded from WooCommerce 11.0.1, 2026-11-22.
  order.body.refunds = [
    ...listOf(order.body.refunds),
    { id: refund.id, reason: refund.reason, total: negative(refund.amount), total_tax: negative(total_tax) },
  ];
  books.modified(order);
  return refund;
}

export function renderRefund({ id, createdAt, amount, reason, lines }: StoredRefund): object {
  return {
    id,
    date_created: shopTime(createdAt),
    date_created_gmt: createdAt.slice(0, 19),
    amount,
    reason,
    refunded_by: 1,
    refunded_payment: false,
    meta_data: [{ id: 1, key: '_refund_type', value: 'partial' }],
    line_items: lines.map((line) => ({
      id: line.id,
      quantity: -line.quantity,
      total: negative(line.total),
      total_tax: negative(line.tax),
      meta_data: [{ id: 1, key: '_refunded_item_id', value: String(line.refundedId) }],
    })),
    shipping_lines: [],
    tax_lines: [],
    fee_lines: [],
  };
}

function negative(amount: string | number): string {
  return Number(amount) === 0 ? '0.00' : (-Number(amount)).toFixed(2);
}

function listOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? (value as Record<string, unknown>[]) : [];
}
