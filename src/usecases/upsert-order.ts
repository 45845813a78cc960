import {
  type Company,
  type Connection,
  Customer,
  CustomerAddress,
  type MarketplaceRow,
  Order,
  OrderItem,
  Shipment,
} from '../db/entities/index.ts';
import { companyEm, type Em } from '../db/orm.ts';
import { moveOrders } from '../db/queries/statuses.ts';
import { Big, toCents } from '../lib/decimal.ts';
import type { ImportedOrder } from '../marketplaces/contract.ts';
import type { Deps } from './deps.ts';

export interface Upsert {
  company: Company;
  connection: Connection;
  marketplace: MarketplaceRow;
  order: ImportedOrder;
}

/** Makes or changes the order of a marketplace's id. Any number of importers may do it at once. */
export async function upsertOrder(deps: Deps, input: Upsert): Promise<'created' | 'updated' | 'unchanged'> {
  const { company, connection, order } = input;
  return companyEm(deps.orm, company.id).transactional(async (tx) => {
    // Serialises two importers of one order; the unique index is the last word.
    await tx.execute('select pg_advisory_xact_lock(?, hashtext(?))', [connection.id, order.externalId]);
    const known = await tx.findOne(Order, { connectionId: connection.id, externalOrderId: order.externalId });
    if (!known) {
      if (order.state === 'cancelled' || order.state === 'shipped') return 'unchanged';
      await insertImported(deps, tx, input);
      return 'created';
    }
    if (known.externalModifiedAt && known.externalModifiedAt >= order.modifiedAt) return 'unchanged';
    if (order.state === 'cancelled') {
      const hasShipment = await tx.count(Shipment, {
        orderId: known.id,
        processStatus: { $nin: ['cancelled', 'rejected'] },
      });
      const note = 'The marketplace cancelled the order, but it has a shipment: cancel that first';
      if (hasShipment > 0) await tx.nativeUpdate(Order, { id: known.id }, { error: note });
      else await moveOrders(tx, { companyId: company.id, orderIds: [known.id] }, 'cancelled');
      await tx.nativeUpdate(Order, { id: known.id }, { externalModifiedAt: order.modifiedAt });
      return 'updated';
    }
    return updateImported(deps, tx, { ...input, known });
  });
}

/** The money of an imported order is what the marketplace counted, never recounted; what it did not say is a problem, and zero here. */
function amountsOf(order: ImportedOrder) {
  const grossCents = toCents(order.totalGross || 0);
  const netCents = toCents(order.totalNet || 0);
  const shippingGrossCents = toCents(order.shippingGross || 0);
  return { grossCents, netCents, vatCents: grossCents - netCents, shippingGrossCents };
}

/** Everything of an imported order that lives on the order row itself. */
function orderFields(order: ImportedOrder, vatRate: string) {
  const amounts = amountsOf(order);
  const held = order.state === 'held' ? ['The marketplace says that the order is not ready to be shipped'] : [];
  return {
    ...amounts,
    shippingNetCents: new Big(amounts.shippingGrossCents)
      .div(new Big(vatRate).div(100).plus(1))
      .round(0, Big.roundHalfUp)
      .toNumber(),
    currency: order.currency || 'EUR',
    paymentMethod: order.cashOnDelivery ? 'COD' : order.paymentMethod.slice(0, 50) || 'PREPAID',
    codCents: order.cashOnDelivery ? amounts.grossCents : null,
    buyerOrderNote: order.note,
    problems: [...order.problems, ...held],
    externalOrderNumber: order.externalNumber,
    externalModifiedAt: order.modifiedAt,
    marketplaceCreatedAt: order.createdAt,
  };
}

function customerFields(order: ImportedOrder) {
  const { billing } = order;
  return {
    ...order.customer,
    billingCompany: billing.company,
    billingAddress: [billing.address, billing.address2].filter(Boolean).join(' '),
    billingCity: billing.city,
    billingState: billing.province,
    billingZip: billing.zip,
    billingCountry: billing.countryCode,
    billingVat: billing.vatNumber,
    billingCodiceFiscale: billing.taxCode,
  };
}

function addressFields(order: ImportedOrder) {
  const { province, countryCode, ...place } = order.shipping;
  return { ...place, state: province, country: countryCode, countryCode };
}

function itemRows(order: ImportedOrder, owner: { companyId: number; orderId: number }) {
  return order.lines.map((line, index) => ({
    ...owner,
    position: index + 1,
    externalLineId: line.externalLineId,
    sku: line.sku,
    title: line.title,
    // Two and a half metres are a problem of the order and no reason to lose it.
    quantity: Math.ceil(line.quantity),
    unitPriceGross: new Big(line.unitPriceGross || 0).toFixed(4),
    unitPriceNet: new Big(line.totalNet || 0).div(line.quantity > 0 ? line.quantity : 1).toFixed(4),
    totalGrossCents: toCents(line.totalGross || 0),
    totalNetCents: toCents(line.totalNet || 0),
  }));
}

async function insertImported(deps: Deps, tx: Em, input: Upsert): Promise<void> {
  const { company, connection, order } = input;
  const companyId = company.id;
  const stamps = { createdAt: deps.now(), updatedAt: deps.now() };
  const customerId = Number(await tx.insert(Customer, { companyId, ...customerFields(order), ...stamps }));
  const customerAddressId = Number(
    await tx.insert(CustomerAddress, { companyId, customerId, ...addressFields(order), ...stamps }),
  );
  const orderId = Number(
    await tx.insert(Order, {
      companyId,
      ...orderFields(order, company.settings.vatRate),
      orderNumber: order.externalNumber || order.externalId,
      customerId,
      customerAddressId,
      connectionId: connection.id,
      externalOrderId: order.externalId,
      parcels: [],
      carrierOptions: [],
      pickupPointId: null,
      importedAt: deps.now(),
      ...stamps,
    }),
  );
  if (order.lines.length > 0) await tx.insertMany(OrderItem, itemRows(order, { companyId, orderId }));
}

/** Follows the marketplace while nothing was booked; afterwards the label is the truth. */
async function updateImported(deps: Deps, tx: Em, input: Upsert & { known: Order }): Promise<'updated' | 'unchanged'> {
  const { company, marketplace, order, known } = input;
  const booked = await tx.count(Shipment, { orderId: known.id, processStatus: { $nin: ['cancelled', 'rejected'] } });
  if (!marketplace.allowOrderUpdateAfterImport || booked > 0) return 'unchanged';
  await tx.nativeUpdate(Customer, { id: known.customerId }, { ...customerFields(order), updatedAt: deps.now() });
  await tx.nativeUpdate(
    CustomerAddress,
    { id: known.customerAddressId },
    { ...addressFields(order), updatedAt: deps.now() },
  );
  await tx.nativeUpdate(
    Order,
    { id: known.id },
    { ...orderFields(order, company.settings.vatRate), updatedAt: deps.now() },
  );
  // Paid at the second attempt, for instance: what the shop cancelled, the shop may take back.
  if (known.status === 'cancelled' && order.state !== 'shipped') {
    await moveOrders(tx, { companyId: company.id, orderIds: [known.id] }, 'pending');
  }
  await tx.nativeDelete(OrderItem, { orderId: known.id });
  if (order.lines.length > 0) {
    await tx.insertMany(OrderItem, itemRows(order, { companyId: company.id, orderId: known.id }));
  }
  return 'updated';
}
