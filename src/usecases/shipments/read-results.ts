import { CarrierRow, Connection, MarketplaceRow, Order, Shipment } from '../../db/entities/index.ts';
import { companyEm, type Orm } from '../../db/orm.ts';
import { batched } from '../../db/queries/batched.ts';
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
    select id as "shipmentId", part_id as "partId", coalesce(tracking_number, '') as "trackingNumber",
           exists (select 1 from documents d where d.shipment_id = s.id and d.kind = 'label') as "hasLabel"
      from shipments s where company_id = $1 and id = any((select $2)::int[])`,
};

interface Asked {
  companyId: number;
  shipmentIds: readonly number[];
}

/** Reads shipments by id with one statement, because a batch may have thousands. */
export async function readBookedShipments(
  deps: Pick<Deps, 'orm'>,
  asked: Asked,
): Promise<ReadonlyMap<number, BookedShipment>> {
  return asked.shipmentIds.length === 0 ? new Map() : readBooked(deps.orm, asked);
}

const readBooked = batched(
  async (orm: Orm, asked: readonly Asked[]): Promise<ReadonlyMap<number, BookedShipment>[]> => {
    const [{ companyId }] = asked as [Asked];
    const ids = asked.flatMap(({ shipmentIds }) => shipmentIds);
    const rows = await runPrepared<BookedShipment>(orm, READ_BOOKED, [companyId, ids]);
    const byId = new Map(rows.map((row) => [row.shipmentId, row]));
    return asked.map(() => byId);
  },
  // One company's thousands of shipments are not read with the single one of another.
  { keyOf: ({ companyId }) => companyId, lanes: 2, isRead: true },
);
