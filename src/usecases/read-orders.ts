import type { Party } from '../carriers/contract.ts';
import {
  CarrierRow,
  Company,
  Connection,
  Contract,
  Customer,
  CustomerAddress,
  MarketplaceRow,
  Order,
  OrderItem,
  RelatedShipment,
  Shipment,
  TrackingEvent,
  Warehouse,
} from '../db/entities/index.ts';
import { companyEm } from '../db/orm.ts';
import type { Deps } from './deps.ts';
import { notFound } from './find.ts';
import { senderOf, warehouseOf } from './shipment-draft.ts';

export interface OrderView {
  order: Order;
  items: OrderItem[];
  customer: Customer;
  address: CustomerAddress;
  shipments: Shipment[];
  marketplace: { connection: Connection; row: MarketplaceRow } | null;
}

/** One order and what became of it. */
export async function readOrder(
  deps: Pick<Deps, 'orm'>,
  input: { companyId: number; orderId: number },
): Promise<OrderView> {
  const em = companyEm(deps.orm, input.companyId);
  const order = await em.findOne(Order, input.orderId);
  if (!order) throw notFound('order');
  const [items, customer, address, shipments] = await Promise.all([
    em.find(OrderItem, { orderId: order.id }, { orderBy: { position: 'asc' } }),
    em.findOneOrFail(Customer, order.customerId),
    em.findOneOrFail(CustomerAddress, order.customerAddressId),
    em.find(Shipment, { orderId: order.id }, { orderBy: { id: 'desc' } }),
  ]);
  const connection = order.connectionId === null ? null : await em.findOne(Connection, order.connectionId);
  const row = connection && (await em.findOne(MarketplaceRow, connection.marketplaceId));
  return { order, items, customer, address, shipments, marketplace: connection && row ? { connection, row } : null };
}

export interface TrackingView extends OrderView {
  company: Company;
  shipment: Shipment;
  carrier: CarrierRow;
  events: TrackingEvent[];
  related: RelatedShipment[];
  trackingUrl: string;
  /** Where it goes: to the customer, or for a return to the warehouse. */
  recipient: TrackingRecipient;
}

export interface TrackingRecipient extends Omit<Party, 'company'> {
  id: number;
  companyName: string;
  country: string;
  vatNumber: string;
  taxCode: string;
}

/** One shipment as its recipient would ask about it; events newest first. */
export async function readTracking(
  deps: Pick<Deps, 'orm' | 'carriers' | 'vault'>,
  input: { companyId: number; shipmentId: number },
): Promise<TrackingView> {
  const em = companyEm(deps.orm, input.companyId);
  const shipment = await em.findOne(Shipment, input.shipmentId);
  if (!shipment) throw notFound('shipment');
  const [view, company, carrier, contract, events, related] = await Promise.all([
    readOrder(deps, { companyId: input.companyId, orderId: shipment.orderId }),
    em.findOneOrFail(Company, shipment.companyId),
    em.findOneOrFail(CarrierRow, shipment.carrierId),
    em.findOneOrFail(Contract, shipment.contractId),
    em.find(TrackingEvent, { shipmentId: shipment.id }, { orderBy: { occurredAt: 'desc', id: 'desc' } }),
    em.find(RelatedShipment, { shipmentId: shipment.id }, { orderBy: { id: 'asc' } }),
  ]);
  const spec = deps.carriers.get(carrier.code);
  const trackingUrl =
    shipment.trackingNumber && spec?.trackingUrl
      ? spec.trackingUrl(shipment.trackingNumber, deps.vault.open(contract.credentials, `contract:${contract.id}`))
      : '';
  const recipient =
    shipment.direction === 'outbound'
      ? customerOf(view)
      : warehouseRecipient(company, warehouseOf(view.order, await em.find(Warehouse, {})));
  return { ...view, company, shipment, carrier, events, related, trackingUrl, recipient };
}

function customerOf({ address, customer }: OrderView): TrackingRecipient {
  return {
    id: address.id,
    name: address.fullName,
    companyName: address.company || address.fullName,
    vatNumber: customer.billingVat,
    taxCode: customer.billingCodiceFiscale,
    address: address.address,
    address2: address.address2,
    zip: address.zip,
    city: address.city,
    province: address.state,
    country: address.country,
    countryCode: address.countryCode,
    phone: address.phone || customer.phone,
    email: customer.email,
  };
}

function warehouseRecipient(company: Company, warehouse: Warehouse | null): TrackingRecipient {
  const party = senderOf(company, warehouse);
  return {
    ...party,
    id: warehouse?.id ?? company.id,
    companyName: party.company,
    country: party.countryCode,
    vatNumber: company.vatNumber,
    taxCode: '',
  };
}
