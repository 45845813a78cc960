import {
  CarrierRow,
  Company,
  Contract,
  type Order,
  OrderItem,
  type OrderPart,
  type Shipment,
} from '../../db/entities/index.ts';
import { type Em, systemEm } from '../../db/orm.ts';
import { contractSeal } from '../../engine/call-contract.ts';
import type { Deps } from '../../engine/deps.ts';
import { wallClock } from '../../lib/clock.ts';
import type { ShipmentConfirmation, TrackedParcel } from '../../marketplaces/adapter.ts';
import { type Outgoing, placesOf } from './outgoing.ts';
import { replacedNumbers } from './told-numbers.ts';

interface Confirming {
  order: Order;
  shipment: Shipment;
  outgoing: Outgoing;
  /** The date of a shipment that was not transmitted. */
  at: Date;
}

/** Builds the confirmation of a shipment for its marketplace. */
export async function confirmationOf(
  deps: Pick<Deps, 'orm' | 'carriers' | 'vault'>,
  { order, shipment, outgoing, at }: Confirming,
): Promise<ShipmentConfirmation> {
  const em = systemEm(deps.orm);
  const { id: orderId, companyId } = order;
  const { told, shipments, parts } = outgoing;
  const items = await em.find(OrderItem, { orderId }, { orderBy: { position: 'asc' } });
  const { settings } = await em.findOneOrFail(Company, companyId);
  const parcelOf = (one: Shipment, part: OrderPart | undefined): Promise<TrackedParcel> => {
    const shippedOn = wallClock(one.transmittedAt ?? at, settings.timeZone).date;
    return trackedParcel(deps, em, { shipment: one, lines: linesOf(items, part), shippedOn });
  };
  const own = parcelOf(shipment, told === 'last' ? undefined : parts.get(shipment.partId ?? 0));
  const places = placesOf(outgoing, shipment);
  const isTogether = told === 'together';
  const all = isTogether ? shipments.map((one) => parcelOf(one, parts.get(one.partId ?? 0))) : [];
  return {
    externalOrderId: order.externalOrderId ?? '',
    ...(await own),
    replacedNumbers: await replacedNumbers(em, { orderId, companyId, places, isTogether }),
    ...(isTogether ? { parts: await Promise.all(all) } : {}),
  };
}

function linesOf(items: readonly OrderItem[], part: OrderPart | undefined): TrackedParcel['lines'] {
  const pieces = new Map(part?.lines.map(({ itemId, quantity }) => [itemId, quantity]));
  return items.flatMap(({ id, externalLineId, quantity: ordered }) => {
    const quantity = pieces.size === 0 ? ordered : pieces.get(id);
    return externalLineId && quantity !== undefined ? [{ externalLineId, quantity }] : [];
  });
}

async function trackedParcel(
  deps: Pick<Deps, 'carriers' | 'vault'>,
  em: Em,
  { shipment, ...parcel }: Pick<TrackedParcel, 'lines' | 'shippedOn'> & { shipment: Shipment },
): Promise<TrackedParcel> {
  const carrier = await em.findOneOrFail(CarrierRow, shipment.carrierId);
  const contract = await em.findOneOrFail(Contract, shipment.contractId);
  const account = deps.vault.open(contract.credentials, contractSeal(contract.id));
  const trackingNumber = shipment.trackingNumber ?? '';
  return {
    ...parcel,
    trackingNumber,
    carrierId: carrier.code,
    carrierName: carrier.name,
    trackingUrl: deps.carriers.get(carrier.code)?.trackingUrl?.(trackingNumber, account) ?? '',
  };
}
