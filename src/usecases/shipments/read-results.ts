import { CarrierRow, Connection, MarketplaceRow, Order, Shipment } from '../../db/entities/index.ts';
import { companyEm } from '../../db/orm.ts';
import { runPrepared, type Statement } from '../../db/queries/prepared.ts';
import type { Deps } from '../../engine/deps.ts';

/** Returns the carrier's numbers of a shipment, empty until the carrier assigns them. */
export async function readShipmentReference(
  deps: Pick<Deps, 'orm'>,
  input: { companyId: number; shipmentId: number },
): Promise<string> {
  const shipment = await companyEm(deps.orm, input.companyId).findOne(Shipment, input.shipmentId);
  return shipment?.trackingNumber ?? '';
}

export interface SentOrder {
  externalOrderId: string;
  marketplace: string;
  shipmentId: number | null;
  trackingNumber: string;
  carrierCode: string;
  carrierName: string;
}

/** Reads our own fields of a send-to-marketplace result, with empty texts for missing values. */
export async function readSentOrder(
  deps: Pick<Deps, 'orm'>,
  input: { companyId: number; orderId: number; shipmentId: number | null },
): Promise<SentOrder> {
  const em = companyEm(deps.orm, input.companyId);
  const order = await em.findOne(Order, input.orderId);
  const shipment = input.shipmentId === null ? null : await em.findOne(Shipment, input.shipmentId);
  const carrier = shipment && (await em.findOne(CarrierRow, shipment.carrierId));
  const connection = order?.connectionId ? await em.findOne(Connection, order.connectionId) : null;
  const marketplace = connection && (await em.findOne(MarketplaceRow, connection.marketplaceId));
  return {
    externalOrderId: order?.externalOrderId ?? '',
    marketplace: marketplace?.code ?? '',
    shipmentId: shipment?.id ?? null,
    trackingNumber: shipment?.trackingNumber ?? '',
    carrierCode: carrier?.code ?? '',
    carrierName: carrier?.name ?? '',
  };
}

/** Reads the shipment of a poll. */
export async function readPolledShipment(
  deps: Pick<Deps, 'orm'>,
  { companyId, shipmentId }: { companyId: number; shipmentId: number },
): Promise<Shipment> {
  return companyEm(deps.orm, companyId).findOneOrFail(Shipment, shipmentId);
}

export interface BookedShipment {
  shipmentId: number;
  /** Null: the whole order. */
  partId: number | null;
  trackingNumber: string;
  /** False until the carrier delivers the label. */
  hasLabel: boolean;
}

const READ_BOOKED: Statement = {
  name: 'read-booked',
  text: `
    select id, part_id, tracking_number,
           exists (select 1 from documents d where d.shipment_id = s.id and d.kind = 'label') as has_label
      from shipments s where company_id = $1 and id = any((select $2)::int[])`,
};

/** Reads shipments by id with one statement, because a batch may have thousands. */
export async function readBookedShipments(
  deps: Pick<Deps, 'orm'>,
  { companyId, shipmentIds }: { companyId: number; shipmentIds: readonly number[] },
): Promise<Map<number, BookedShipment>> {
  if (shipmentIds.length === 0) return new Map();
  const rows = await runPrepared<{
    id: number;
    part_id: number | null;
    tracking_number: string | null;
    has_label: boolean;
  }>(deps.orm, READ_BOOKED, [companyId, shipmentIds]);
  return new Map(
    rows.map((row) => [
      row.id,
      { shipmentId: row.id, partId: row.part_id, trackingNumber: row.tracking_number ?? '', hasLabel: row.has_label },
    ]),
  );
}
