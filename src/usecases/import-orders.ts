import {
  Company,
  Connection,
  Customer,
  CustomerAddress,
  MarketplaceRow,
  Order,
  OrderItem,
  Shipment,
} from '../db/entities/index.ts';
import { companyEm, type Em, systemEm } from '../db/orm.ts';
import { moveOrders } from '../db/queries/statuses.ts';
import { Big, toCents } from '../lib/decimal.ts';
import { IntegrationError } from '../lib/errors.ts';
import type { ImportedOrder, OrderPage, OrderWindow } from '../marketplaces/contract.ts';
import { marketplaceQueue } from '../queue/jobs.ts';
import { giveUp, RetryLater } from '../queue/queue-system.ts';
import { callConnection } from './call-connection.ts';
import type { Deps, JobContext } from './deps.ts';

/** Read again what changed shortly before the last window ended: clocks differ, and shops commit late. */
const OVERLAP_MS = 5 * 60_000;
const FIRST_WINDOW_MS = 30 * 86_400_000;

/** Queues an import for every connection whose interval has passed. */
export async function queueDueImports(deps: Deps): Promise<number> {
  const due = await systemEm(deps.orm).execute<{ id: number; code: string }[]>(
    `select c.id, m.code from connections c join marketplaces m on m.id = c.marketplace_id
      where c.import_enabled and c.is_connected and not c.delete_flag
        and (c.imported_until is null or c.imported_until <= ?)`,
    [new Date(deps.now().getTime() - deps.settings.importIntervalMs)],
  );
  for (const { id, code } of due) {
    await requestImport(deps, { connectionId: id, marketplace: code }).catch((err) =>
      deps.log.warn({ err, connectionId: id }, 'import not queued'),
    );
  }
  return due.length;
}

/** One import per connection and interval, however many schedulers ask. */
export async function requestImport(deps: Deps, input: { connectionId: number; marketplace: string }): Promise<void> {
  const interval = Math.floor(deps.now().getTime() / deps.settings.importIntervalMs);
  await deps.queues.add(marketplaceQueue(input.marketplace), [
    { name: 'import', id: `import-${input.connectionId}-${interval}`, payload: { connectionId: input.connectionId } },
  ]);
}

export interface ImportCount {
  created: number;
  updated: number;
  unchanged: number;
  failed: number;
}

/** Brings in every order the marketplace changed since the last import. One bad order never stops the others. */
export async function importOrders(deps: Deps, input: { connectionId: number } & JobContext): Promise<ImportCount> {
  const em = systemEm(deps.orm);
  const count: ImportCount = { created: 0, updated: 0, unchanged: 0, failed: 0 };
  const connection = await em.findOne(Connection, { id: input.connectionId, deleteFlag: false, isConnected: true });
  if (!connection) return count;
  const marketplace = await em.findOneOrFail(MarketplaceRow, connection.marketplaceId);
  const company = await em.findOneOrFail(Company, connection.companyId);
  const modifiedBefore = deps.now();
  const modifiedAfter = new Date(
    connection.importedUntil === null
      ? modifiedBefore.getTime() - FIRST_WINDOW_MS
      : connection.importedUntil.getTime() - OVERLAP_MS,
  );
  let page: string | null = null;
  try {
    do {
      const window: OrderWindow = { modifiedAfter, modifiedBefore, page };
      const { orders, next }: OrderPage = await callConnection(
        deps,
        { connection, shipmentId: null },
        input,
        (spec, context) => spec.listOrders(context, window),
      );
      for (const order of orders) {
        try {
          const result = await upsertOrder(deps, { company, connection, marketplace, order });
          count[result] += 1;
        } catch (err) {
          count.failed += 1;
          deps.log.error({ err, connectionId: connection.id, externalId: order.externalId }, 'order not imported');
        }
      }
      page = next;
    } while (page !== null);
  } catch (error) {
    if (!(error instanceof IntegrationError)) throw error;
    await em.nativeUpdate(Connection, { id: connection.id }, { lastImportError: error.message });
    throw error.kind === 'permanent' ? giveUp(error.message) : new RetryLater(error.message, error.retryAfterMs);
  }
  const lastImportError = count.failed > 0 ? `${count.failed} orders could not be imported` : null;
  await em.nativeUpdate(Connection, { id: connection.id }, { importedUntil: modifiedBefore, lastImportError });
  deps.log.info({ connectionId: connection.id, ...count }, 'orders imported');
  return count;
}

interface Upsert {
  company: Company;
  connection: Connection;
  marketplace: MarketplaceRow;
  order: ImportedOrder;
}

async function upsertOrder(deps: Deps, input: Upsert): Promise<'created' | 'updated' | 'unchanged'> {
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
