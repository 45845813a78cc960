import {
  CarrierRow,
  Company,
  Manifest,
  ManifestItem,
  OperationItem,
  Order,
  type Shipment,
} from '../db/entities/index.ts';
import { companyEm, type Em } from '../db/orm.ts';
import { lockActiveShipments } from '../db/queries/move-shipments.ts';
import { moveOrders } from '../db/queries/statuses.ts';
import { wallClock } from '../lib/clock.ts';
import type { Deps } from './deps.ts';
import { unprocessable } from './find.ts';
import { markMade, type Origin } from './idempotency.ts';

/** Puts orders on a new bordero: all of them, or none with one reason per order. */
export async function createManifest(
  deps: Deps,
  input: Pick<Origin, 'companyId' | 'once'> & { carrierId: number; orderIds: readonly number[] },
): Promise<Manifest> {
  const em = companyEm(deps.orm, input.companyId);
  const company = await em.findOneOrFail(Company, input.companyId);
  const carrier = await em.findOne(CarrierRow, input.carrierId);
  if (!carrier) {
    throw unprocessable('There is no such carrier', [{ pointer: '/carrierId', message: 'There is no such carrier' }]);
  }
  const needsTransmit = deps.carriers.get(carrier.code)?.transmitShipments !== undefined;

  return em.transactional(async (tx) => {
    // Two requests for one order must not both find it free; numbers are given out one at a time.
    await tx.execute('select pg_advisory_xact_lock(?, ?)', [company.id, 77]);
    // A cancellation takes the same lock: it sees the bordero, or is seen by it.
    const byOrder = await lockActiveShipments(tx, { companyId: company.id, orderIds: input.orderIds });
    const shipments = [...byOrder.values()];
    await refuseUnfit(tx, { ...input, byOrder, carrier, needsTransmit });

    const { date } = wallClock(deps.now(), company.settings.timeZone);
    const manifest = tx.create(Manifest, {
      companyId: company.id,
      carrierId: carrier.id,
      contractId: shipments[0]?.contractId ?? 0,
      number: await nextNumber(tx, { company, carrier, year: date.slice(0, 4) }),
      status: 'created',
      manifestDate: deps.now(),
      totalShipments: shipments.length,
      totalParcels: shipments.reduce((sum, shipment) => sum + shipment.parcelCount, 0),
      totalWeightGrams: shipments.reduce((sum, shipment) => sum + shipment.weightGrams, 0),
      codCents: shipments.reduce((sum, shipment) => sum + (shipment.codCents ?? 0), 0),
      createdAt: deps.now(),
      updatedAt: deps.now(),
    });
    await tx.persist(manifest).flush();
    await markMade(tx, input.once, manifest.id);
    await tx.insertMany(
      ManifestItem,
      input.orderIds.map((orderId) => ({
        companyId: company.id,
        manifestId: manifest.id,
        orderId,
        shipmentId: byOrder.get(orderId)?.id ?? 0,
      })),
    );
    await moveOrders(tx, { companyId: company.id, orderIds: input.orderIds }, 'manifested');
    return manifest;
  });
}

async function refuseUnfit(
  tx: Em,
  input: {
    orderIds: readonly number[];
    byOrder: Map<number, Shipment>;
    carrier: CarrierRow;
    needsTransmit: boolean;
  },
): Promise<void> {
  const known = new Set((await tx.find(Order, { id: { $in: [...input.orderIds] } })).map((order) => order.id));
  const shipmentIds = [...input.byOrder.values()].map((shipment) => shipment.id);
  const taken = new Set(
    (await tx.find(ManifestItem, { shipmentId: { $in: shipmentIds }, restoredAt: null })).map(
      (item) => item.shipmentId,
    ),
  );
  const cancelling = new Set(
    (
      await tx.find(OperationItem, {
        shipmentId: { $in: shipmentIds },
        kind: 'cancel',
        status: { $in: ['pending', 'running'] },
      })
    ).map((item) => item.shipmentId),
  );
  const contracts = new Set([...input.byOrder.values()].map((shipment) => shipment.contractId));
  const seen = new Set<number>();
  const reason = (orderId: number): string | null => {
    const shipment = input.byOrder.get(orderId);
    if (seen.has(orderId)) return `Order ${orderId} is listed twice`;
    seen.add(orderId);
    if (!known.has(orderId)) return `There is no order ${orderId}`;
    if (!shipment) return `Order ${orderId} has no shipment`;
    if (shipment.carrierId !== input.carrier.id) return `Order ${orderId} does not travel with ${input.carrier.name}`;
    if (taken.has(shipment.id)) return `Order ${orderId} is already on a bordero`;
    if (cancelling.has(shipment.id)) return `The shipment of order ${orderId} is being cancelled`;
    if (!['created', 'transmitting', 'transmitted'].includes(shipment.processStatus)) {
      return `The shipment of order ${orderId} is not created yet`;
    }
    if (input.needsTransmit && shipment.processStatus !== 'transmitted') {
      return `The shipment of order ${orderId} is not transmitted yet`;
    }
    if (contracts.size > 1 && shipment.contractId !== Math.min(...contracts)) {
      return `Order ${orderId} travels under another contract than the others: one bordero per contract`;
    }
    return null;
  };
  const violations = input.orderIds.flatMap((orderId, index) => {
    const message = reason(orderId);
    return message === null ? [] : [{ pointer: `/orderIds/${index}`, message }];
  });
  if (violations.length > 0) throw unprocessable('Not every order can go on this bordero', violations);
}

/** `<CARRIER>-2026-00001`: progressive per company, carrier and year, with no gaps while nothing is deleted. */
async function nextNumber(tx: Em, input: { company: Company; carrier: CarrierRow; year: string }): Promise<string> {
  const prefix = `${input.carrier.code.toUpperCase()}-${input.year}-`;
  const rows = await tx.execute<{ next: number }[]>(
    `select coalesce(max(substring(number from ?)::int), 0) + 1 as next from manifests
      where company_id = ? and number like ?`,
    ['[0-9]+$', input.company.id, `${prefix}%`],
  );
  return `${prefix}${String(rows[0]?.next ?? 1).padStart(5, '0')}`;
}
