import { linesOf, type StoredLine, type StoredOrder } from './books.ts';

const ADDRESSED = new Set(['SHIPPING', 'SHIPPED', 'TO_COLLECT', 'RECEIVED', 'CLOSED']);

/** Renders the order in the requested tax mode; the simulated operator's default is without taxes. */
export function renderOrder(order: StoredOrder, taxMode: unknown): object {
  const hasTaxes = taxMode === 'TAX_INCLUDED';
  const lines = linesOf(order);
  const goods = sum(lines.map((line) => taxOf(line, 'taxes')));
  const shipping = sum(lines.map((line) => taxOf(line, 'shipping_taxes')));
  return {
    ...order,
    ...(ADDRESSED.has(order.order_state) ? {} : { customer: withoutAddresses(order.customer) }),
    order_tax_mode: hasTaxes ? 'TAX_INCLUDED' : 'TAX_EXCLUDED',
    ...(hasTaxes
      ? {}
      : {
          ...less(order, 'price', goods),
          ...less(order, 'shipping_price', shipping),
          ...less(order, 'total_price', goods + shipping),
          order_lines: Array.isArray(order.order_lines) ? order.order_lines.map(withoutTaxes) : order.order_lines,
        }),
  };
}

function withoutAddresses(customer: unknown): object {
  return { ...(customer as object), shipping_address: null, billing_address: null };
}

function withoutTaxes(line: StoredLine): object {
  const tax = taxOf(line, 'taxes');
  return { ...line, ...less(line, 'price', tax), ...less(line, 'price_unit', tax / line.quantity) };
}

function taxOf(line: StoredLine, field: 'taxes' | 'shipping_taxes'): number {
  return sum((line[field] as { amount: number }[]).map(({ amount }) => amount));
}

function less(from: Record<string, unknown>, field: string, tax: number): object {
  const amount = from[field];
  return typeof amount === 'number' ? { [field]: Math.round((amount - tax) * 100) / 100 } : {};
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}
