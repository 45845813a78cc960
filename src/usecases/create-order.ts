import { UniqueConstraintViolationException } from '@mikro-orm/core';
import {
  Company,
  Connection,
  Contract,
  Customer,
  CustomerAddress,
  Order,
  OrderItem,
  Product,
  type RequestedParcel,
  Warehouse,
} from '../db/entities/index.ts';
import { companyEm, type Em } from '../db/orm.ts';
import { isCashOnDelivery } from '../domain/cod.ts';
import { type OrderTotals, orderTotals } from '../domain/totals.ts';
import { centsToString, toCents } from '../lib/decimal.ts';
import type { Problem } from '../lib/errors.ts';
import type { Deps } from './deps.ts';
import { unprocessable } from './find.ts';
import { markMade, type Origin } from './idempotency.ts';

/** An order as a client describes it, checked for shape; amounts as decimal strings or numbers. */
export interface NewOrder {
  customer: { fullName: string; email: string; phone: string };
  billing: {
    company: string;
    address: string;
    city: string;
    province: string;
    zip: string;
    countryCode: string;
    vatNumber: string;
    taxCode: string;
  };
  shipping: {
    fullName: string;
    company: string;
    phone: string;
    address: string;
    address2: string;
    city: string;
    province: string;
    zip: string;
    countryCode: string;
  };
  items: { productId: string | null; sku: string; name: string; quantity: number; price: number }[];
  shippingCost: number;
  insurance: boolean;
  paymentMethod: string;
  codAmount: number | null;
  note: string;
  orderNumber: string | null;
  warehouseId: number | null;
  contractId: number | null;
  carrierOptions: string[];
  pickupPointId: string | null;
  parcels: RequestedParcel[];
  marketplace: { connectionId: number; orderId: string; orderNumber: string } | null;
}

export interface CreatedOrder {
  order: Order;
  items: OrderItem[];
  customer: Customer;
  address: CustomerAddress;
}

/** Cents fit PostgreSQL's integer below this. */
const MAX_TOTAL_CENTS = 2_000_000_000;

/** Counts and stores one order: all of it, or nothing. */
export async function createOrder(
  deps: Deps,
  input: Pick<Origin, 'companyId' | 'once'> & { order: NewOrder },
): Promise<CreatedOrder> {
  const em = companyEm(deps.orm, input.companyId);
  const company = await em.findOneOrFail(Company, input.companyId);
  const { order } = input;
  const products = await checkReferences(em, order);
  const totals = orderTotals({
    items: order.items.map((item) => ({ quantity: item.quantity, unitPrice: item.price })),
    pricesIncludeVat: company.settings.pricesIncludeVat,
    vatRate: company.settings.vatRate,
    shippingCost: order.shippingCost,
    insuranceAmount: 0,
  });
  if (totals.grossCents > MAX_TOTAL_CENTS) {
    throw unprocessable(`The order's total is above ${centsToString(MAX_TOTAL_CENTS)}`, [
      { pointer: '/items', message: `The sum is above ${centsToString(MAX_TOTAL_CENTS)}` },
    ]);
  }
  try {
    return await em.transactional(async (tx) => {
      const created = await insertOrder(deps, tx, { company, order, totals, products });
      await markMade(tx, input.once, created.order.id);
      return created;
    });
  } catch (error) {
    // Another request brought the same marketplace order meanwhile: the unique index is the last word.
    if (error instanceof UniqueConstraintViolationException && order.marketplace) throw unfit([ALREADY_HERE]);
    throw error;
  }
}

const ALREADY_HERE = { pointer: '/marketplace/order_id', message: 'This marketplace order is already here' };

function unfit(faults: { pointer: string; message: string }[]): Problem {
  return unprocessable('The order points at things that are not there, or is already here', faults);
}

/** Everything the body points at must be the company's own; all faults at once. */
async function checkReferences(em: Em, order: NewOrder): Promise<Map<string, Product>> {
  const faults: { pointer: string; message: string }[] = [];
  const wanted = order.items.flatMap((item) => (item.productId ? [item.productId] : []));
  const skus = order.items.flatMap((item) => (item.sku ? [item.sku] : []));
  const products =
    wanted.length + skus.length === 0
      ? []
      : await em.find(Product, { $or: [{ id: { $in: wanted } }, { sku: { $in: skus } }] });
  const byKey = new Map(
    products.flatMap((product) => [[product.id, product] as const, [product.sku, product] as const]),
  );
  for (const [index, { productId }] of order.items.entries()) {
    if (productId && !byKey.has(productId)) {
      faults.push({ pointer: `/items/${index}/product_id`, message: 'There is no such product' });
    }
  }
  if (order.warehouseId !== null && !(await em.findOne(Warehouse, order.warehouseId))) {
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
  return byKey;
}

async function insertOrder(
  deps: Deps,
  tx: Em,
  input: { company: Company; order: NewOrder; totals: OrderTotals; products: Map<string, Product> },
): Promise<CreatedOrder> {
  const { company, order, totals } = input;
  const companyId = company.id;
  const now = deps.now();
  const customer = tx.create(Customer, {
    companyId,
    fullName: order.customer.fullName,
    email: order.customer.email,
    phone: order.customer.phone,
    billingCompany: order.billing.company,
    billingAddress: order.billing.address,
    billingCity: order.billing.city,
    billingState: order.billing.province,
    billingZip: order.billing.zip,
    billingCountry: order.billing.countryCode,
    billingVat: order.billing.vatNumber,
    billingCodiceFiscale: order.billing.taxCode,
    createdAt: now,
    updatedAt: now,
  });
  await tx.persist(customer).flush();
  const { countryCode, province, ...place } = order.shipping;
  const address = tx.create(CustomerAddress, {
    ...place,
    companyId,
    customerId: customer.id,
    state: province,
    country: countryCode,
    countryCode,
    createdAt: now,
    updatedAt: now,
  });
  await tx.persist(address).flush();
  const isCod = isCashOnDelivery(order.paymentMethod);
  const row = tx.create(Order, {
    companyId,
    orderNumber: order.orderNumber ?? '',
    status: 'pending',
    currency: company.settings.currency,
    paymentMethod: order.paymentMethod,
    codCents: isCod ? (order.codAmount === null ? totals.grossCents : toCents(order.codAmount)) : null,
    netCents: totals.netCents,
    vatCents: totals.vatCents,
    grossCents: totals.grossCents,
    shippingNetCents: totals.shippingNetCents,
    shippingGrossCents: totals.shippingGrossCents,
    insurance: order.insurance,
    insuranceCents: totals.insuranceGrossCents,
    buyerOrderNote: order.note,
    customerId: customer.id,
    customerAddressId: address.id,
    warehouseId: order.warehouseId,
    contractId: order.contractId,
    connectionId: order.marketplace?.connectionId ?? null,
    externalOrderId: order.marketplace?.orderId ?? null,
    externalOrderNumber: order.marketplace?.orderNumber ?? null,
    parcels: order.parcels,
    carrierOptions: order.carrierOptions,
    pickupPointId: order.pickupPointId,
    problems: [],
    marketplaceCreatedAt: null,
    importedAt: now,
    createdAt: now,
    updatedAt: now,
  });
  await tx.persist(row).flush();
  if (order.orderNumber === null) row.orderNumber = String(row.id);
  const items = order.items.map((item, index) => {
    const line = totals.lines[index];
    const product = input.products.get(item.productId ?? '') ?? input.products.get(item.sku);
    return tx.create(OrderItem, {
      companyId,
      orderId: row.id,
      position: index + 1,
      productId: product?.id ?? null,
      externalLineId: null,
      sku: item.sku || (product?.sku ?? ''),
      title: item.name || (product?.title ?? item.sku),
      quantity: item.quantity,
      unitPriceGross: String(line?.unitPriceGross ?? 0),
      unitPriceNet: String(line?.unitPriceNet ?? 0),
      totalGrossCents: line?.totalGrossCents ?? 0,
      totalNetCents: line?.totalNetCents ?? 0,
    });
  });
  await tx.persist(items).flush();
  return { order: row, items, customer, address };
}
