import { systemClock, wallClock } from '../../clock.ts';
import type { Books } from './books.ts';
import { type PickupOrder, PickupRequest } from './protocol.ts';

/** Books a courier, or refuses with Poste's code. Couriers live in real time, whatever the parcels' clock says. */
export function pickupAnswer(books: Books, body: unknown): object {
  const request = PickupRequest.safeParse(body);
  const [order] = request.data?.pickup.item ?? [];
  if (!order) return answer('', 'E0013', 'PICKUP data is mandatory');
  const [code, words] = problemOf(order) ?? [];
  if (code !== undefined) return answer('', code, words ?? '');
  const bookingId = books.bookPickup(order);
  return bookingId === null ? answer('', 'E0016', 'Prenotazione di ritiro esistente') : answer(bookingId, '', '');
}

function answer(bookingId: string, errorCode: string, errorDescription: string): object {
  return { bookingId, result: { item: [{ result: errorCode === '' ? 'OK' : 'KO', errorCode, errorDescription }] } };
}

function problemOf({ operation, bookingType, where, content, pickupDate }: PickupOrder): [string, string] | null {
  const [place] = where.item;
  const today = wallClock(systemClock(), 'Europe/Rome').date.replaceAll('-', '');
  if (operation !== 'I') return ['E0028', 'OPERATION is incorrect'];
  if (/^RIT000[12]$/.test(bookingType)) return ['E0015', 'SHIPMENTID is mandatory'];
  if (bookingType !== 'RIT0003') return ['E0014', 'BOOKINGTYPE is incorrect'];
  if (!place?.givenName || !place.streetName || !place.streetNumber || !place.town || !place.postCode || !place.region)
    return ['E0024', 'WHERE is incomplete'];
  if (content.item.length === 0 || content.item.some(({ containerType }) => !/^[PB]$/.test(containerType)))
    return ['E0017', 'CONTENT is incorrect'];
  if (place.postCode === '00000') return ['E0037', 'Booking is not possible'];
  return pickupDate > today ? null : ['E0038', 'PICKUPDATE must be in the future'];
}
