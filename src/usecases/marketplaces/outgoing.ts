import {
  type Connection,
  MarketplaceRow,
  type Order,
  OrderItem,
  OrderPart,
  Shipment,
} from '../../db/entities/index.ts';
import type { Em } from '../../db/orm.ts';
import { connectionSeal } from '../../engine/call-connection.ts';
import type { Deps } from '../../engine/deps.ts';
import type { PartsTold } from '../../marketplaces/adapter.ts';

/** The live shipments of an order that have a number, and how its marketplace hears of them. */
export interface Outgoing {
  /** `each` also for an order that is not split. */
  told: PartsTold;
  /** In the order of their parts. */
  shipments: Shipment[];
  /** Parts by their id; empty for an order that is not split. */
  parts: ReadonlyMap<number, OrderPart>;
  /** How many shipments there will be. */
  total: number;
}

type OutgoingDeps = Pick<Deps, 'marketplaces' | 'vault'>;

export async function readOutgoing(
  deps: OutgoingDeps,
  em: Em,
  { order, connection }: { order: Order; connection: Connection | null },
): Promise<Outgoing> {
  const shares = order.joinedInto !== null && order.joinedInto !== order.id;
  const live = await em.find(
    Shipment,
    {
      orderId: order.joinedInto ?? order.id,
      direction: 'outbound',
      trackingNumber: { $ne: null },
      processStatus: { $nin: ['cancelled', 'rejected'] },
    },
    // The rows, because a statement of the same transaction may have moved them.
    { orderBy: { id: 'asc' }, disableIdentityMap: true },
  );
  // Each shop of joined orders has its own word of the shipment's number.
  const shipments = shares ? live.map((shipment) => ({ ...shipment, toldNumber: order.toldNumber })) : live;
  if (!order.isSplit) return { told: 'each', shipments, parts: new Map(), total: 1 };
  const all = await em.find(OrderPart, { orderId: order.id, replacedAt: null }, { orderBy: { position: 'asc' } });
  const told = connection ? await toldBy(deps, em, connection) : 'last';
  return {
    told: told === 'each' && !(await hasLines(em, order, all)) ? 'last' : told,
    shipments: all.flatMap(({ id }) => live.filter(({ partId }) => partId === id)),
    parts: new Map(all.map((part) => [part.id, part])),
    total: all.length,
  };
}

/** Returns how the shop of a connection hears of the parts of a split order. */
export async function toldBy(deps: OutgoingDeps, em: Em, connection: Connection): Promise<PartsTold> {
  const { code } = await em.findOneOrFail(MarketplaceRow, connection.marketplaceId);
  const marketplace = deps.marketplaces.get(code);
  const declared = marketplace?.confirmsParts ?? 'last';
  if (typeof declared === 'string') return declared;
  const account = marketplace?.account.safeParse(
    deps.vault.open(connection.credentials, connectionSeal(connection.id)),
  );
  // The call itself refuses an invalid account.
  return account?.success ? declared({ account: account.data, detected: connection.detected ?? {} }) : 'last';
}

/** Parcels do not say which line is in them, and a client may link an order without the ids of its lines. */
async function hasLines(em: Em, order: Order, parts: readonly OrderPart[]): Promise<boolean> {
  const items = await em.find(OrderItem, { orderId: order.id });
  const known = new Set(items.filter(({ externalLineId }) => externalLineId !== null).map(({ id }) => id));
  return parts.every(({ lines }) => lines.length > 0 && lines.every(({ itemId }) => known.has(itemId)));
}

/** Returns one shipment for each send that is missing; all of them again when none is, since a repeat writes nothing. */
export function shipmentsToSend({ told, shipments, total }: Outgoing): Shipment[] {
  const untold = shipments.filter((shipment) => !isTold(shipment));
  if (told === 'each') return untold.length > 0 ? untold : shipments;
  if (shipments.length < total) return [];
  const one = told === 'together' ? untold[0] : shipments.find(isTold);
  return [one ?? shipments.at(-1)].flatMap((shipment) => shipment ?? []);
}

/** Returns those whose numbers a send of this shipment tells the marketplace. */
export function toldWith({ told, shipments }: Outgoing, shipment: Shipment): Shipment[] {
  return told === 'together' ? shipments : [shipment];
}

/** Returns those in whose places the marketplace has no other number after a send of this shipment. */
export function placesOf({ told, shipments }: Outgoing, shipment: Shipment): number[] {
  return told === 'each' ? [shipment.id] : [...new Set([shipment, ...shipments])].map(({ id }) => id);
}

/** Returns why nothing can be sent yet, or null. */
export function waitsForParts({ told, shipments, total }: Outgoing): string | null {
  if (told === 'each' || shipments.length === total) return null;
  return `The shop hears of all parts of a split order at once: ${shipments.length} of ${total} have a tracking number`;
}

export function isTold({ toldNumber, trackingNumber }: Shipment): boolean {
  return toldNumber !== null && toldNumber === trackingNumber;
}
