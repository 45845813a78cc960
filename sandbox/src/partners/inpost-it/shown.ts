import type { Books, Peer, Shipment } from './books.ts';
import { journeyOf } from './journey.ts';

/** Shows a shipment. Its number and status appear step by step after the order. */
export function shownShipment(shipment: Shipment, books: Books): object {
  const isConfirmed = books.isConfirmed(shipment);
  const number = isConfirmed ? shipment.number : null;
  const { cod } = shipment;
  return {
    id: shipment.id,
    status: statusOf(shipment, books),
    tracking_number: number,
    service: 'inpost_locker_standard',
    reference: shipment.reference,
    is_return: false,
    comments: shipment.comments || null,
    additional_services: [],
    custom_attributes: { target_point: shipment.targetPoint, sending_method: shipment.sendingMethod },
    cod: { amount: cod?.amount ?? null, currency: cod?.currency ?? null },
    insurance: { amount: null, currency: null },
    sender: shownPeer(shipment.sender),
    receiver: shownPeer(shipment.receiver),
    selected_offer: null,
    offers: [],
    parcels: [{ id: shipment.id + 1_000_000, tracking_number: number, template: shipment.template }],
    created_at: new Date(shipment.createdAt).toISOString(),
    updated_at: new Date(shipment.createdAt).toISOString(),
  };
}

export function statusOf(shipment: Shipment, books: Books): string {
  if (shipment.isCanceled) return 'canceled';
  return books.isConfirmed(shipment) ? (journeyOf(shipment, books)[0]?.status ?? 'confirmed') : 'created';
}

function shownPeer({ name, company, email, phone }: Peer): object {
  return { name: name || null, company_name: company || null, email: email || null, phone: phone || null };
}

export function shownTracking(shipment: Shipment, books: Books): object {
  const events = journeyOf(shipment, books);
  return {
    tracking_number: shipment.number,
    service: 'inpost_locker_standard',
    type: 'inpost_locker_standard',
    status: events[0]?.status,
    custom_attributes: { size: shipment.template, target_point_id: shipment.targetPoint },
    tracking_details: events.map(({ at, status }) => ({ status, origin_status: null, datetime: at.toISOString() })),
    expected_flow: [],
    created_at: new Date(shipment.createdAt).toISOString(),
    updated_at: events[0]?.at.toISOString(),
  };
}

/** Lists one page of an organisation's shipments, by any of the filters; null when a parameter makes no sense. */
export function shownList(organization: string, query: URLSearchParams, books: Books): object | null {
  const [page, perPage] = [Number(query.get('page') ?? 1), Number(query.get('per_page') ?? 100)];
  if (!(page >= 1 && perPage >= 1 && perPage <= 100)) return null;
  const filters: readonly (readonly [string | null, (shipment: Shipment) => string | null])[] = [
    [query.get('id'), ({ id }) => String(id)],
    [query.get('reference'), ({ reference }) => reference],
    [query.get('tracking_number'), (shipment) => (books.isConfirmed(shipment) ? shipment.number : null)],
  ];
  const found = books.search(
    (shipment) =>
      shipment.organization === organization &&
      filters.every(([wanted, shownOf]) => wanted === null || shownOf(shipment) === wanted),
  );
  if (query.get('sort_order') !== 'asc') found.reverse();
  return {
    count: found.length,
    page,
    per_page: perPage,
    items: found.slice((page - 1) * perPage, page * perPage).map((shipment) => shownShipment(shipment, books)),
  };
}
