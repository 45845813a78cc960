import type { Carrier } from '../../carriers/adapter.ts';
import { CarrierRow, Shipment, TrackingEvent } from '../../db/entities/index.ts';
import { type Em, systemEm } from '../../db/orm.ts';
import { intArray } from '../../db/queries/sql.ts';
import { afterEvents, type EventContext, type EventStatus, statusInContext } from '../../domain/tracking-status.ts';
import type { Deps } from '../../engine/deps.ts';
import { UsageError } from '../../lib/errors.ts';
import { followParcel } from './follow-parcel.ts';
import { saveState } from './take-report.ts';

const CHUNK_ROWS = 2000;

export interface Remapped {
  carrier: string;
  version: number;
  /** Counts of events that were mapped again, and of those whose meaning changed. */
  read: number;
  changed: number;
  /** Shipments whose status changed. */
  shipments: number;
}

interface RawRow {
  id: number;
  shipment_id: number;
  code: string;
  description: string;
  note: string;
  status: EventStatus;
  is_delayed: boolean;
  context: EventContext;
}

/** Maps stored events of an older code table again and updates their shipments. A repeat is a no-op. */
export async function remapTracking(deps: Deps, wanted: { carrierCode: string | null }): Promise<Remapped[]> {
  const em = systemEm(deps.orm);
  const rows = await em.find(CarrierRow, wanted.carrierCode === null ? {} : { code: wanted.carrierCode });
  if (rows.length === 0) throw new UsageError(`There is no carrier ${wanted.carrierCode}`);
  const remapped: Remapped[] = [];
  for (const row of rows) {
    const codes = deps.carriers.get(row.code)?.trackingCodes;
    if (codes) remapped.push({ carrier: row.code, ...(await remapCarrier(deps, row.id, codes)) });
  }
  return remapped;
}

async function remapCarrier(
  deps: Deps,
  carrierId: number,
  codes: NonNullable<Carrier['trackingCodes']>,
): Promise<Omit<Remapped, 'carrier'>> {
  const count = { version: codes.version, read: 0, changed: 0, shipments: 0 };
  let after = 0;
  for (;;) {
    const rows = await oldEvents(systemEm(deps.orm), { carrierId, version: codes.version, after });
    if (rows.length === 0) return count;
    after = rows.at(-1)?.id ?? after;
    const changes = rows.flatMap((row) => {
      const { status: meant, delayed = false } = codes.read({ code: row.code, text: row.description, note: row.note });
      const status = statusInContext(meant, row.context);
      return status === row.status && delayed === row.is_delayed ? [] : [{ ...row, status, is_delayed: delayed }];
    });
    await systemEm(deps.orm).transactional(async (tx) => {
      await tx.execute(
        `update tracking_events e set is_delayed = row.is_delayed, status = row.status
           from jsonb_to_recordset(?::jsonb) as row (id int, status text, is_delayed boolean) where e.id = row.id`,
        [JSON.stringify(changes.map(({ id, status, is_delayed }) => ({ id, status, is_delayed })))],
      );
      await tx.execute(`update tracking_events set mapping_version = ? where id = any(?::int[])`, [
        codes.version,
        intArray(rows.map(({ id }) => id)),
      ]);
    });
    for (const shipmentId of new Set(changes.map((row) => row.shipment_id))) {
      if (await replay(deps, shipmentId)) count.shipments += 1;
    }
    count.read += rows.length;
    count.changed += changes.length;
  }
}

/** Events from a carrier's list of held parcels have no tracking code, so they stay unchanged. */
function oldEvents(em: Em, wanted: { carrierId: number; version: number; after: number }): Promise<RawRow[]> {
  return em.execute<RawRow[]>(
    `select e.id, e.shipment_id, e.code, e.description, e.note, e.status, e.is_delayed, e.context
       from tracking_events e join shipments s on s.id = e.shipment_id
      where e.id > ? and e.mapping_version < ? and e.context <> 'list' and s.carrier_id = ?
      order by e.id limit ${CHUNK_ROWS}`,
    [wanted.after, wanted.version, wanted.carrierId],
  );
}

/** Computes the status from all events. A person requested it, so it may also leave a final status that was wrong. */
async function replay(deps: Deps, shipmentId: number): Promise<boolean> {
  return systemEm(deps.orm).transactional(async (tx) => {
    await tx.execute('select id from shipments where id = ? for update', [shipmentId]);
    const shipment = await tx.findOneOrFail(Shipment, shipmentId, { refresh: true });
    const events = await tx.find(TrackingEvent, { shipmentId, companyId: shipment.companyId });
    const fresh = events.map(({ occurredAt, status, isDelayed }) => ({ at: occurredAt, status, delayed: isDelayed }));
    const state = afterEvents({ status: null, lastEventAt: 0, isDelayed: false }, fresh);
    const { trackingStatus: before, isDelayed } = shipment;
    if (state.status === before && state.isDelayed === isDelayed) return false;
    await saveState(deps, tx, shipment, { ...state, fresh });
    if (state.status !== 'delivered')
      await tx.execute('update shipments set delivered_at = null where id = ?', [shipmentId]);
    await followParcel(tx, shipmentId);
    return state.status !== before;
  });
}

/** Resumes polling of a parcel that had expired or reached a final status. */
export async function reopenTracking(deps: Deps, shipmentId: number): Promise<void> {
  const rows = await systemEm(deps.orm).execute<{ id: number }[]>(
    `update shipments set next_poll_at = ?, expired_at = null, updated_at = now()
      where id = ? and tracking_number is not null and process_status in ('created', 'transmitting', 'transmitted') returning id`,
    [deps.now(), shipmentId],
  );
  if (rows.length === 0) throw new UsageError(`There is no shipment ${shipmentId} that can be polled`);
}
