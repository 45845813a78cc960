import type { Party } from '../../carriers/adapter.ts';
import { Company, Order, Warehouse } from '../../db/entities/index.ts';
import { companyEm, systemEm } from '../../db/orm.ts';
import type { OrderRows } from '../../db/queries/order-rows.ts';
import { type OrderView, readOrderRows, readTrackingRows, type TrackingRows } from '../../db/queries/read-order.ts';
import type { Deps } from '../../engine/deps.ts';
import { type FindCompany, notFound } from '../../engine/find.ts';
import { senderOf, warehouseOf } from '../../engine/shipment-draft.ts';

/** Reads one order with its shipments and history. */
export async function readOrder(
  deps: Pick<Deps, 'orm'>,
  input: { companyId: number; orderId: number },
): Promise<OrderView> {
  const view = await readOrderRows(deps.orm, { companyId: input.companyId, id: input.orderId });
  if (!view) throw notFound('order');
  return view;
}

/** Finds an order of any company, for the command line. */
export async function findOrder(
  deps: Pick<Deps, 'orm'>,
  orderId: number,
): Promise<{ view: OrderView; company: Company }> {
  const em = systemEm(deps.orm);
  const order = await em.findOne(Order, orderId, { fields: ['companyId'] });
  if (!order) throw notFound('order');
  const { companyId } = order;
  const company = await em.findOneOrFail(Company, companyId);
  return { view: await readOrder(deps, { companyId, orderId }), company };
}

export type { OrderView };

export interface TrackingView extends TrackingRows {
  company: Company;
  trackingUrl: string;
  /** Returns the destination: the customer, or the warehouse for a return. */
  recipient: TrackingRecipient;
}

export interface TrackingRecipient extends Omit<Party, 'company'> {
  id: number;
  companyName: string;
  country: string;
  vatNumber: string;
  taxCode: string;
}

/** Reads the tracking of one shipment, with the newest events first. */
export async function readTracking(
  deps: Pick<Deps, 'orm' | 'carriers' | 'vault'> & { company: FindCompany },
  input: { companyId: number; shipmentId: number },
): Promise<TrackingView> {
  const { companyId, shipmentId } = input;
  const [rows, company] = await Promise.all([
    readTrackingRows(deps.orm, { companyId, id: shipmentId }),
    deps.company(companyId),
  ]);
  if (!rows || !company) throw notFound('shipment');
  const { shipment, contract, carrier, order } = rows;
  const spec = deps.carriers.get(carrier.code);
  const trackingUrl =
    shipment.trackingNumber && spec?.trackingUrl
      ? spec.trackingUrl(shipment.trackingNumber, deps.vault.open(contract.credentials, `contract:${contract.id}`))
      : '';
  const recipient =
    shipment.direction === 'outbound'
      ? customerOf(rows)
      : warehouseRecipient(company, warehouseOf(order, await companyEm(deps.orm, company.id).find(Warehouse, {})));
  return { ...rows, company, trackingUrl, recipient };
}

function customerOf({ address, customer }: OrderRows): TrackingRecipient {
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
