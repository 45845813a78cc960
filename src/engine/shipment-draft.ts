import type { DraftParcel, LabelFormat, Party, ShipmentDraft, ShipmentHandle } from '../carriers/adapter.ts';
import type {
  Company,
  Contract,
  Customer,
  CustomerAddress,
  Order,
  OrderItem,
  OrderPart,
  Product,
  Shipment,
  Warehouse,
} from '../db/entities/index.ts';
import type { Orm } from '../db/orm.ts';
import type { WholeOrderRows } from '../db/queries/order-rows.ts';
import { readBooking } from '../db/queries/read-booking.ts';
import { readOrdersToShip } from '../db/queries/read-orders-to-ship.ts';
import type { ShippingSetUp } from '../db/queries/read-set-up.ts';
import { joinedOrder } from './joined-order.ts';

const MAX_SERIAL = 9_999_999;

export function handleOf(shipment: Shipment): ShipmentHandle {
  return {
    reference: shipment.reference ?? '',
    trackingNumber: shipment.trackingNumber ?? '',
    carrierReference: shipment.carrierReference ?? '',
    bookedAt: shipment.bookedAt,
  };
}

/** Everything that a shipment takes from an order. A few queries read it for any number of orders. */
export interface ShippableOrder {
  /** For joined orders the one that leads, with the sums of all. */
  order: Order;
  /** The other orders that travel with it; mostly none. */
  joined: Order[];
  address: CustomerAddress;
  customer: Customer;
  items: OrderItem[];
  /** The product of each item, if known. */
  products: (Product | undefined)[];
  warehouse: Warehouse | null;
  parcels: DraftParcel[];
}

/** Reads orders to ship. For one that is joined it returns the order that leads, with the contents of all. */
export async function loadShippable(
  orm: Orm,
  { company, warehouses }: Pick<ShippingSetUp, 'company' | 'warehouses'>,
  orderIds: readonly number[],
): Promise<ShippableOrder[]> {
  const { orders, products } = await readOrdersToShip(orm, { companyId: company.id, orderIds });
  const known = byName(products);
  return orders.map((order) => shippableOf(order, { company, warehouses, known }));
}

/** Products by id and by sku. */
function byName(products: readonly Product[]): ReadonlyMap<string, Product> {
  return new Map(products.flatMap((product) => [[product.id, product] as const, [product.sku, product] as const]));
}

function shippableOf(
  { joined, ...rows }: WholeOrderRows,
  {
    company,
    warehouses,
    known,
  }: { company: Company; warehouses: readonly Warehouse[]; known: ReadonlyMap<string, Product> },
): ShippableOrder {
  const contents = [rows, ...joined].map(({ order, items }) => ({
    order,
    items,
    products: items.map((item) => known.get(item.productId ?? '') ?? known.get(item.sku)),
  }));
  return {
    ...rows,
    order: joinedOrder(contents.map(({ order }) => order)),
    joined: joined.map(({ order }) => order),
    items: contents.flatMap(({ items }) => items),
    products: contents.flatMap(({ products }) => products),
    warehouse: warehouseOf(rows.order, warehouses),
    parcels: parcelsOf(contents, company),
  };
}

export function warehouseOf(order: Order, warehouses: readonly Warehouse[]): Warehouse | null {
  return warehouses.find(({ id }) => id === order.warehouseId) ?? warehouses.find(({ isDefault }) => isDefault) ?? null;
}

type Contents = Pick<ShippableOrder, 'order' | 'items' | 'products'>;

/**
 * Uses the client's parcels. The orders without any share one parcel with the products' weight, else the company's default
 * parcel.
 */
function parcelsOf(contents: readonly Contents[], company: Company): DraftParcel[] {
  const given = contents.flatMap(({ order }) => order.parcels);
  const loose = contents.filter(({ order }) => order.parcels.length === 0);
  if (loose.length === 0) return given;
  const weightGrams = loose.reduce((sum, one) => sum + productGrams(one), 0);
  const { defaultParcel } = company.settings;
  return [...given, weightGrams > 0 ? { ...defaultParcel, weightGrams } : defaultParcel];
}

function productGrams({ items, products }: Contents): number {
  return items.reduce((sum, item, at) => sum + (products[at]?.weightGrams ?? 0) * item.quantity, 0);
}

/** Returns the pieces of an order that travel in one part, as an order with its own items, parcels and values. */
export function partOf(shippable: ShippableOrder, part: OrderPart, company: Company): ShippableOrder {
  const { items, products } = piecesOf(shippable, part);
  const order: Order = {
    ...shippable.order,
    codCents: part.codCents,
    grossCents: part.valueCents,
    parcels: part.parcels,
  };
  return { ...shippable, order, items, products, parcels: parcelsOf([{ order, items, products }], company) };
}

function piecesOf(
  { items, products }: Pick<ShippableOrder, 'items' | 'products'>,
  part: OrderPart | null,
): Pick<ShippableOrder, 'items' | 'products'> {
  if (!part || part.lines.length === 0) return { items, products };
  const pieces = part.lines.flatMap(({ itemId, quantity }) => {
    const at = items.findIndex(({ id }) => id === itemId);
    const item = items[at];
    if (!item) return [];
    const share = (cents: number) => Math.round((cents * quantity) / item.quantity);
    const own = {
      ...item,
      quantity,
      totalNetCents: share(item.totalNetCents),
      totalGrossCents: share(item.totalGrossCents),
    };
    return [{ item: own, product: products[at] }];
  });
  return { items: pieces.map(({ item }) => item), products: pieces.map(({ product }) => product) };
}

/** Returns the carrier options of an order and the service that was chosen for it. */
export function carrierOptions(order: Order, service: string | null): string[] {
  return service === null || order.carrierOptions.includes(service)
    ? order.carrierOptions
    : [...order.carrierOptions, service];
}

/** Builds the draft for the carrier, without the reference, which only a shipment has. */
export function draftOf(
  shippable: ShippableOrder,
  options: { company: Company; contract: Contract; service?: string | null; reference: string; shipmentId: number },
): ShipmentDraft {
  const { order, address, customer, items } = shippable;
  const { company, contract } = options;
  return {
    reference: options.reference,
    isReturn: false,
    serial: ((options.shipmentId - 1) % MAX_SERIAL) + 1,
    orderNumber: order.orderNumber,
    sender: senderOf(company, shippable.warehouse),
    recipient: {
      name: address.fullName,
      company: address.company,
      address: address.address,
      address2: address.address2,
      city: address.city,
      zip: address.zip,
      province: address.state,
      countryCode: address.countryCode,
      phone: address.phone || customer.phone,
      email: customer.email,
    },
    parcels: shippable.parcels,
    cod: order.codCents === null ? null : { amountCents: order.codCents, paymentType: contract.defaultCodPaymentType },
    insuredCents: order.insurance ? order.grossCents : null,
    contents: items
      .map((item) => item.title || item.sku)
      .join(', ')
      .slice(0, 100),
    lines: items.map((item, index) => {
      const product = shippable.products[index];
      return {
        sku: item.sku,
        description: item.title || item.sku,
        quantity: item.quantity,
        unitValueCents: Math.round(item.totalNetCents / item.quantity),
        weightGrams: product?.weightGrams ?? 0,
        commodityCode: product?.commodityCode ?? '',
        originCountry: product?.originCountry ?? '',
      };
    }),
    currency: order.currency,
    pickupPointId: order.pickupPointId,
    note: order.buyerOrderNote,
    options: carrierOptions(order, options.service ?? null),
    labelFormat: contract.labelFormat as LabelFormat,
  };
}

/** The data that a carrier gets about a shipment. */
export interface Booking {
  shipment: Shipment;
  contract: Contract;
  order: Order;
  /** The other orders in the shipment; mostly none. */
  joined: Order[];
  draft: ShipmentDraft;
}

/** Builds the draft from the shipment's own parcels, because a retry must equal the first request. Null when there is no such shipment. */
export async function loadBooking(orm: Orm, shipmentId: number): Promise<Booking | null> {
  const rows = await readBooking(orm, shipmentId);
  if (!rows) return null;
  const { shipment, contract, company, parcels, warehouses, products, part, ...order } = rows;
  const shippable = shippableOf(order, { company, warehouses, known: byName(products) });
  const draft = draftOf(
    { ...shippable, ...piecesOf(shippable, part), parcels },
    { company, contract, reference: shipment.reference ?? '', shipmentId: shipment.id },
  );
  return {
    shipment,
    contract,
    order: order.order,
    joined: shippable.joined,
    draft: {
      ...(shipment.direction === 'return' ? returnDraftOf(draft) : draft),
      cod: shipment.codCents === null ? null : { amountCents: shipment.codCents, paymentType: shipment.codPaymentType },
      insuredCents: shipment.insuredCents,
      options: shipment.options,
    },
  };
}

/** Turns a draft into its return to the warehouse: without cash on delivery and without the order's options, which are for the way out. */
export function returnDraftOf(draft: ShipmentDraft): ShipmentDraft {
  const { sender: recipient, recipient: sender } = draft;
  return {
    ...draft,
    isReturn: true,
    sender,
    recipient,
    cod: null,
    insuredCents: null,
    pickupPointId: null,
    note: '',
    options: [],
  };
}

/** Returns the warehouse that a parcel leaves from, else the company's own address. */
export function senderOf(company: Company, warehouse: Warehouse | null): Party {
  return {
    name: warehouse?.name ?? company.name,
    company: company.name,
    address: warehouse?.address ?? company.address,
    address2: '',
    city: warehouse?.city ?? company.city,
    zip: warehouse?.zip ?? company.postalCode,
    province: warehouse?.province ?? company.province,
    countryCode: warehouse?.countryCode ?? company.country,
    phone: (warehouse?.phone || company.phone) ?? '',
    email: (warehouse?.email || company.email) ?? '',
  };
}
