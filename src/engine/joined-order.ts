import type { Order } from '../db/entities/index.ts';

/** Returns the first order with the sums of all, which travel in one shipment. An order alone is returned as it is. */
export function joinedOrder(orders: readonly Order[]): Order {
  const [lead] = orders;
  if (!lead) throw new Error('A shipment without an order');
  if (orders.length === 1) return lead;
  const sum = (of: (order: Order) => number) => orders.reduce((total, order) => total + of(order), 0);
  const all = <Value>(of: (order: Order) => readonly Value[]) => [...new Set(orders.flatMap(of))];
  return {
    ...lead,
    netCents: sum((order) => order.netCents),
    vatCents: sum((order) => order.vatCents),
    grossCents: sum((order) => order.grossCents),
    codCents: lead.codCents === null ? null : sum((order) => order.codCents ?? 0),
    // A parcel is insured whole or not at all.
    insurance: orders.some((order) => order.insurance),
    insuranceCents: sum((order) => order.insuranceCents),
    parcels: orders.flatMap((order) => order.parcels),
    carrierOptions: all((order) => order.carrierOptions),
    problems: all((order) => order.problems),
    buyerOrderNote: all((order) => [order.buyerOrderNote].filter(Boolean)).join('; '),
  };
}
