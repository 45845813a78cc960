import { IntegrationError } from '../../lib/errors.ts';
import type { ShipmentConfirmation } from '../adapter.ts';
import { isReplaced, isSameNumber } from '../tracking-numbers.ts';
import type { ShopContext } from './account.ts';
import { carrierOf } from './carriers.ts';
import { addTrack, deleteTrack } from './client.ts';
import type { Order, Shipment } from './schema.ts';

interface Correcting {
  order: Order;
  shipments: readonly Shipment[];
  confirmation: ShipmentConfirmation;
}

/**
 * Gives the live number to every shipment under a number that no longer holds, then takes the dead one off. In this
 * order the customer is never without a number, and a repeat does the rest. Returns whether anything was written.
 */
export async function correctTracks(
  context: ShopContext,
  { order, shipments, confirmation }: Correcting,
): Promise<boolean> {
  let isCorrected = false;
  for (const shipment of shipments) {
    const dead = shipment.tracks.filter((each) => isReplaced(confirmation, each.track_number));
    if (dead.length === 0) continue;
    const isLive = shipment.tracks.some((each) => isSameNumber(each.track_number, confirmation.trackingNumber));
    if (!isLive) {
      const track_number = confirmation.trackingNumber;
      const track = { ...carrierOf(context.account, confirmation), track_number, order_id: order.entity_id };
      await addTrack(context, shipment, track);
      isCorrected = true;
    }
    for (const { entity_id: id } of dead) {
      if (id !== undefined && (await removeTrack(context, id))) isCorrected = true;
    }
  }
  return isCorrected;
}

/** A shop that does not let go of the dead number keeps it beside the live one, which is enough. */
async function removeTrack(context: ShopContext, id: number): Promise<boolean> {
  try {
    await deleteTrack(context, id);
    return true;
  } catch (err) {
    if (!(err instanceof IntegrationError) || err.kind !== 'permanent') throw err;
    context.log.warn({ err, trackId: id }, 'dead tracking number not deleted');
    return false;
  }
}
