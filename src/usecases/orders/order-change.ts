import { Company, Customer, CustomerAddress, Order, type OrderItem } from '../../db/entities/index.ts';
import type { Em } from '../../db/orm.ts';
import { replaceItems } from '../../db/queries/replace-items.ts';
import { moveOrders } from '../../db/queries/statuses.ts';
import { withoutAddressProblems } from '../../domain/addresses/address-problem.ts';
import { isCashOnDelivery } from '../../domain/cod.ts';
import { orderTotals } from '../../domain/totals.ts';
import { toCents } from '../../lib/decimal.ts';
import { type NewOrder, refuseLargeTotal } from './create-order.ts';
import { addressFields, customerFields } from './party-fields.ts';

/** New values of an order; a field that is absent stays as it is. */
export type OrderChange = Partial<Omit<NewOrder, 'orderNumber' | 'marketplace' | 'warehouseId'>> & {
  warehouseId?: number | null;
};

/** Writes a change to the rows of an order, which the caller has locked, and raises its revision. */
export async function applyChange(
  tx: Em,
  { order, change, at }: { order: Order; change: OrderChange; at: Date },
): Promise<void> {
  const { id, companyId } = order;
  const { customer, billing, shipping } = change;
  if (customer || billing) {
    const buyer = await tx.findOneOrFail(Customer, { id: order.customerId, companyId });
    await tx.nativeUpdate(
      Customer,
      { id: buyer.id, companyId },
      { ...customer, ...(billing ? billingFields(buyer, billing) : {}), updatedAt: at },
    );
  }
  if (shipping) {
    await tx.nativeUpdate(
      CustomerAddress,
      { id: order.customerAddressId, companyId },
      { ...addressFields(shipping), updatedAt: at },
    );
  }
  const amounts = await amountsAfter(tx, order, change);
  await tx.nativeUpdate(
    Order,
    { id, companyId },
    {
      ...amounts.columns,
      paymentMethod: change.paymentMethod ?? order.paymentMethod,
      codCents: codAfter(order, change, amounts.columns.grossCents),
      insurance: change.insurance ?? order.insurance,
      buyerOrderNote: change.note ?? order.buyerOrderNote,
      parcels: change.parcels ?? order.parcels,
      carrierOptions: change.carrierOptions ?? order.carrierOptions,
      ...(change.contractId === undefined ? {} : { contractId: change.contractId }),
      ...(change.pickupPointId === undefined ? {} : { pickupPointId: change.pickupPointId }),
      ...(change.warehouseId === undefined ? {} : { warehouseId: change.warehouseId }),
      problems: shipping ? withoutAddressProblems(order.problems) : order.problems,
      error: null,
      revision: order.revision + 1,
      correctedAt: at,
      updatedAt: at,
    },
  );
  if (amounts.items) await replaceItems(tx, { companyId, orderId: id, items: amounts.items });
  await moveOrders(tx, { companyId, orderIds: [id] }, 'pending');
}

function billingFields(customer: Customer, billing: NewOrder['billing']) {
  const { fullName, email, phone, ...fields } = customerFields({ customer, billing });
  return fields;
}

type Amounts = Pick<Order, 'grossCents' | 'netCents' | 'vatCents' | 'shippingGrossCents' | 'shippingNetCents'>;

/** Counts the totals again. Throws a `Problem` when they are too large. */
export async function amountsAfter(
  tx: Em,
  order: Order,
  { items, shippingCost }: OrderChange,
): Promise<{ columns: Amounts; items: Omit<OrderItem, 'id' | 'companyId' | 'orderId' | 'productId'>[] | null }> {
  const { grossCents, netCents, vatCents, shippingGrossCents, shippingNetCents } = order;
  const before = { grossCents, netCents, vatCents, shippingGrossCents, shippingNetCents };
  if (items === undefined && shippingCost === undefined) return { columns: before, items: null };
  const { settings } = await tx.findOneOrFail(Company, order.companyId);
  const { pricesIncludeVat } = settings;
  const kept = (pricesIncludeVat ? shippingGrossCents : shippingNetCents) / 100;
  const totals = orderTotals({
    items: (items ?? []).map(({ quantity, price }) => ({ quantity, unitPrice: price })),
    pricesIncludeVat,
    vatRate: settings.vatRate,
    shippingCost: shippingCost ?? kept,
    insuranceAmount: 0,
  });
  // Without new items the old ones stay as they were counted, perhaps by a marketplace with discounts.
  const gross = totals.grossCents + (items ? 0 : grossCents - shippingGrossCents);
  const net = totals.netCents + (items ? 0 : netCents - shippingNetCents);
  refuseLargeTotal(gross);
  return {
    columns: {
      grossCents: gross,
      netCents: net,
      vatCents: gross - net,
      shippingGrossCents: totals.shippingGrossCents,
      shippingNetCents: totals.shippingNetCents,
    },
    items:
      items?.map(({ productId, sku, name, quantity }, index) => ({
        position: index + 1,
        clientProductId: productId,
        externalLineId: null,
        sku,
        title: name,
        quantity,
        unitPriceGross: String(totals.lines[index]?.unitPriceGross ?? 0),
        unitPriceNet: String(totals.lines[index]?.unitPriceNet ?? 0),
        totalGrossCents: totals.lines[index]?.totalGrossCents ?? 0,
        totalNetCents: totals.lines[index]?.totalNetCents ?? 0,
      })) ?? null,
  };
}

/** Returns the cents to collect. Without an amount of its own, an order collects its total, also a new one. */
function codAfter(order: Order, { paymentMethod, codAmount }: OrderChange, grossCents: number): number | null {
  if (!isCashOnDelivery(paymentMethod ?? order.paymentMethod)) return null;
  if (codAmount !== undefined) return codAmount === null ? grossCents : toCents(codAmount);
  return order.codCents === null || order.codCents === order.grossCents ? grossCents : order.codCents;
}
