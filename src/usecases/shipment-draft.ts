import type { DraftParcel, LabelFormat, Party, ShipmentDraft, ShipmentHandle } from '../carriers/contract.ts';
import {
  Company,
  type Contract,
  Customer,
  CustomerAddress,
  Order,
  OrderItem,
  Parcel,
  Product,
  type Shipment,
  Warehouse,
} from '../db/entities/index.ts';
import type { Em } from '../db/orm.ts';

const MAX_SERIAL = 9_999_999;

export function handleOf(shipment: Shipment): ShipmentHandle {
  return {
    reference: shipment.reference ?? '',
    trackingNumber: shipment.trackingNumber ?? '',
    carrierReference: shipment.carrierReference ?? '',
  };
}

/** Everything of an order that a shipment is made of, read in a handful of queries for any number of orders. */
export interface ShippableOrder {
  order: Order;
  address: CustomerAddress;
  customer: Customer;
  items: OrderItem[];
  /** Of each item, where it is known. */
  products: (Product | undefined)[];
  warehouse: Warehouse | null;
  parcels: DraftParcel[];
}

export async function loadShippable(em: Em, company: Company, orderIds: readonly number[]): Promise<ShippableOrder[]> {
  const orders = await em.find(Order, { id: { $in: [...orderIds] } });
  const [addresses, customers, items, warehouses] = await Promise.all([
    em.find(CustomerAddress, { id: { $in: orders.map((order) => order.customerAddressId) } }),
    em.find(Customer, { id: { $in: orders.map((order) => order.customerId) } }),
    em.find(OrderItem, { orderId: { $in: orders.map((order) => order.id) } }, { orderBy: { position: 'asc' } }),
    em.find(Warehouse, {}),
  ]);
  const productIds = items.flatMap((item) => (item.productId ? [item.productId] : []));
  const skus = items.flatMap((item) => (item.sku ? [item.sku] : []));
  const products = await em.find(Product, { $or: [{ id: { $in: productIds } }, { sku: { $in: skus } }] });
  const byId = new Map(products.map((product) => [product.id, product]));
  const bySku = new Map(products.map((product) => [product.sku, product]));

  return orders.map((order) => {
    const own = items.filter((item) => item.orderId === order.id);
    const productOf = (item: OrderItem): Product | undefined =>
      (item.productId ? byId.get(item.productId) : undefined) ?? bySku.get(item.sku);
    return {
      order,
      address: addresses.find((address) => address.id === order.customerAddressId) as CustomerAddress,
      customer: customers.find((customer) => customer.id === order.customerId) as Customer,
      items: own,
      products: own.map(productOf),
      warehouse: warehouseOf(order, warehouses),
      parcels: parcelsOf(order, own, { company, productOf }),
    };
  });
}

export function warehouseOf(order: Order, warehouses: readonly Warehouse[]): Warehouse | null {
  return warehouses.find(({ id }) => id === order.warehouseId) ?? warehouses.find(({ isDefault }) => isDefault) ?? null;
}

/** As the client described them, else one parcel with the products' weight, else the company's default parcel. */
function parcelsOf(
  order: Order,
  items: readonly OrderItem[],
  { company, productOf }: { company: Company; productOf: (item: OrderItem) => Product | undefined },
): DraftParcel[] {
  if (order.parcels.length > 0) return order.parcels;
  const weightGrams = items.reduce((sum, item) => sum + (productOf(item)?.weightGrams ?? 0) * item.quantity, 0);
  const { defaultParcel } = company.settings;
  return [weightGrams > 0 ? { ...defaultParcel, weightGrams } : defaultParcel];
}

/** What an order wants of the carrier, and the service that was chosen for it. */
export function carrierOptions(order: Order, service: string | null): string[] {
  return service === null || order.carrierOptions.includes(service)
    ? order.carrierOptions
    : [...order.carrierOptions, service];
}

/** What the carrier will be told, without the reference that only a shipment has. */
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

/** The draft of a shipment as it was booked, with its own parcels: what is asked again must be what was asked first. */
export async function draftOfShipment(em: Em, shipment: Shipment, contract: Contract): Promise<ShipmentDraft> {
  const company = await em.findOneOrFail(Company, shipment.companyId);
  const [shippable] = await loadShippable(em, company, [shipment.orderId]);
  if (!shippable) throw new Error(`shipment ${shipment.id} has no order`);
  const parcels = await em.find(Parcel, { shipmentId: shipment.id }, { orderBy: { position: 'asc' } });
  const draft = draftOf(
    { ...shippable, parcels },
    { company, contract, reference: shipment.reference ?? '', shipmentId: shipment.id },
  );
  return {
    ...(shipment.direction === 'return' ? returnDraftOf(draft) : draft),
    cod: shipment.codCents === null ? null : { amountCents: shipment.codCents, paymentType: shipment.codPaymentType },
    insuredCents: shipment.insuredCents,
    options: shipment.options,
  };
}

/** The same parcels on their way back to the warehouse: nothing is collected, and what the order wished was for its own way. */
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

/** The warehouse that a parcel leaves from, or the company itself. */
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
