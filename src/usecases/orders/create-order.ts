import { type Company, Connection, Contract, Order, type RequestedParcel, Warehouse } from '../../db/entities/index.ts';
import { companyEm, type Em } from '../../db/orm.ts';
import { insertNumberedOrder, insertOrder } from '../../db/queries/insert-order.ts';
import type { OrderRows } from '../../db/queries/order-rows.ts';
import { isCashOnDelivery } from '../../domain/cod.ts';
import { type OrderTotals, orderTotals } from '../../domain/totals.ts';
import type { Deps } from '../../engine/deps.ts';
import { conflict, type FindCompany, notFound, unprocessable } from '../../engine/find.ts';
import { type OnceClaim, type Origin, overtaken } from '../../engine/idempotency.ts';
import { centsToString, toCents } from '../../lib/decimal.ts';
import type { Problem } from '../../lib/errors.ts';
import { addressFields, type Buyer, customerFields, type Destination } from './party-fields.ts';

/** An order from a client with a valid shape; amounts are decimal strings or numbers. */
export interface NewOrder extends Buyer {
  shipping: Destination;
  items: { productId: string | null; sku: string; name: string; quantity: number; price: number }[];
  shippingCost: number;
  insurance: boolean;
  paymentMethod: string;
  codAmount: number | null;
  note: string;
  orderNumber: string | null;
  /** Id or key of the warehouse. */
  warehouseId: number | string | null;
  contractId: number | null;
  carrierOptions: string[];
  pickupPointId: string | null;
  parcels: RequestedParcel[];
  marketplace: { connectionId: number; orderId: string; orderNumber: string } | null;
  /** When the buyer ordered; absent: unknown. */
  orderedAt?: Date;
}

export type CreatedOrder = OrderRows;

const UNIQUE_VIOLATION = '23505';
/** Larger amounts in cents do not fit PostgreSQL's integer. */
const MAX_TOTAL_CENTS = 2_000_000_000;

/** Computes the totals of one order and stores it in one transaction. */
export async function createOrder(
  deps: Deps & { company: FindCompany },
  input: Pick<Origin, 'companyId' | 'once'> & { order: NewOrder },
): Promise<CreatedOrder> {
  const { companyId, order, once } = input;
  const company = await deps.company(companyId);
  if (!company) throw notFound('company');
  const warehouseId = hasReferences(order) ? await checkReferences(companyEm(deps.orm, companyId), order) : null;
  const rows = newOrderRows(company, { ...order, warehouseId }, deps.now());
  try {
    const mustBeNew = order.orderNumber !== null && company.settings.uniqueOrderNumbers === true;
    if (await store(deps, { rows, once: once ?? null, mustBeNew })) return rows;
  } catch (error) {
    // A concurrent request created the same marketplace order: the unique index is the final guard.
    if ((error as { code?: string }).code === UNIQUE_VIOLATION && order.marketplace) throw unfit([ALREADY_HERE]);
    throw error;
  }
  throw overtaken();
}

/**
 * Builds the rows of an order with its totals, without ids. Throws a `Problem` for a total that PostgreSQL's integer does
 * not hold.
 */
export function newOrderRows(
  company: Company,
  order: NewOrder & { warehouseId: number | null },
  at: Date,
): CreatedOrder {
  const totals = orderTotals({
    items: order.items.map((item) => ({ quantity: item.quantity, unitPrice: item.price })),
    pricesIncludeVat: company.settings.pricesIncludeVat,
    vatRate: company.settings.vatRate,
    shippingCost: order.shippingCost,
    insuranceAmount: 0,
  });
  refuseLargeTotal(totals.grossCents);
  return rowsOf(company, order, { totals, at });
}

/** Throws a `Problem` for a total that PostgreSQL's integer does not hold. */
export function refuseLargeTotal(grossCents: number): void {
  if (grossCents <= MAX_TOTAL_CENTS) return;
  throw unprocessable(`The order's total is above ${centsToString(MAX_TOTAL_CENTS)}`, [
    { pointer: '/items', message: `The sum is above ${centsToString(MAX_TOTAL_CENTS)}` },
  ]);
}

/** Returns false when another run of the request took over. */
async function store(
  { orm }: Deps,
  { mustBeNew, ...toInsert }: { rows: OrderRows; once: OnceClaim | null; mustBeNew: boolean },
): Promise<boolean> {
  if (!mustBeNew) return insertOrder(orm, toInsert);
  const inserted = await insertNumberedOrder(orm, toInsert);
  if (!('takenBy' in inserted)) return inserted.isStored;
  throw conflict(
    'order-number-taken',
    `Order ${inserted.takenBy} has the order_number "${toInsert.rows.order.orderNumber}" already`,
    { extra: { orderId: inserted.takenBy } },
  );
}

const ALREADY_HERE = { pointer: '/marketplace/order_id', message: 'This marketplace order exists already' };

function unfit(faults: { pointer: string; message: string }[]): Problem {
  return unprocessable('The order names rows that do not exist, or exists already', faults);
}

/** Most orders name no other rows. Products are looked up with the items: one that the catalogue lacks is the client's own. */
function hasReferences({ warehouseId, contractId, marketplace }: NewOrder): boolean {
  return warehouseId !== null || contractId !== null || marketplace !== null;
}

/** Checks that all rows which the body names belong to the company. Returns the id of the warehouse, throws all faults at once. */
export async function checkReferences(
  em: Em,
  order: Pick<NewOrder, 'warehouseId' | 'contractId' | 'marketplace'>,
): Promise<number | null> {
  const faults: { pointer: string; message: string }[] = [];
  const { warehouseId: named } = order;
  const place = typeof named === 'string' ? { key: named } : { id: named ?? 0 };
  const warehouse = named === null ? null : await em.findOne(Warehouse, place);
  if (named !== null && !warehouse) {
    faults.push({ pointer: '/warehouse_id', message: 'There is no such warehouse' });
  }
  if (order.contractId !== null && !(await em.findOne(Contract, { id: order.contractId, deleteFlag: false }))) {
    faults.push({ pointer: '/carrier_company_id', message: 'There is no such carrier contract' });
  }
  if (order.marketplace && !(await em.findOne(Connection, { id: order.marketplace.connectionId, deleteFlag: false }))) {
    faults.push({ pointer: '/marketplace/connection_id', message: 'There is no such marketplace connection' });
  }
  if (order.marketplace) {
    const { connectionId, orderId } = order.marketplace;
    if ((await em.count(Order, { connectionId, externalOrderId: orderId })) > 0) {
      faults.push(ALREADY_HERE);
    }
  }
  if (faults.length > 0) throw unfit(faults);
  return warehouse?.id ?? null;
}

/** Builds the rows of an order without ids. Product data of items is filled in when they are stored. */
function rowsOf(
  company: Company,
  order: NewOrder & { warehouseId: number | null },
  { totals, at }: { totals: OrderTotals; at: Date },
): CreatedOrder {
  const companyId = company.id;
  const stamps = { id: 0, companyId, createdAt: at, updatedAt: at };
  const { marketplace } = order;
  const { lines, netCents, vatCents, grossCents, shippingNetCents, shippingGrossCents } = totals;
  const codCents = order.codAmount === null ? grossCents : toCents(order.codAmount);
  return {
    customer: { ...stamps, ...customerFields(order) },
    address: { ...stamps, ...addressFields(order.shipping), customerId: 0 },
    order: {
      ...stamps,
      orderNumber: order.orderNumber ?? '',
      status: 'pending',
      currency: company.settings.currency,
      paymentMethod: order.paymentMethod,
      codCents: isCashOnDelivery(order.paymentMethod) ? codCents : null,
      netCents,
      vatCents,
      grossCents,
      shippingNetCents,
      shippingGrossCents,
      insurance: order.insurance,
      insuranceCents: totals.insuranceGrossCents,
      buyerOrderNote: order.note,
      customerId: 0,
      customerAddressId: 0,
      warehouseId: order.warehouseId,
      contractId: order.contractId,
      connectionId: marketplace?.connectionId ?? null,
      externalOrderId: marketplace?.orderId ?? null,
      externalOrderNumber: marketplace?.orderNumber ?? null,
      externalModifiedAt: null,
      revision: 0,
      isSplit: false,
      correctedAt: null,
      cancelReason: null,
      parcels: order.parcels,
      carrierOptions: order.carrierOptions,
      pickupPointId: order.pickupPointId,
      error: null,
      problems: [],
      marketplaceCreatedAt: order.orderedAt ?? null,
      importedAt: at,
      joinedInto: null,
      toldNumber: null,
      sentToMarketplaceAt: null,
      readBackAt: null,
      sentToCarrierAt: null,
      sentToErpAt: null,
      forgetAskedAt: null,
      forgottenAt: null,
    },
    items: order.items.map((item, index) => ({
      id: 0,
      companyId,
      orderId: 0,
      position: index + 1,
      productId: null,
      clientProductId: item.productId,
      externalLineId: null,
      sku: item.sku,
      title: item.name,
      quantity: item.quantity,
      unitPriceGross: String(lines[index]?.unitPriceGross ?? 0),
      unitPriceNet: String(lines[index]?.unitPriceNet ?? 0),
      totalGrossCents: lines[index]?.totalGrossCents ?? 0,
      totalNetCents: lines[index]?.totalNetCents ?? 0,
    })),
  };
}
