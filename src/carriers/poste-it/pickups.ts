import type { BookedPickup, CarrierContext, DraftParcel, PickupRequest } from '../adapter.ts';
import { failureOf, notAsked } from './codes.ts';
import { PLACE_MAX } from './limits.ts';
import { placeOf } from './places.ts';
import { type Account, PickupAnswer } from './schema.ts';
import { isUnwritable, plain } from './text.ts';
import { ask } from './wire.ts';

/** A pickup of any number of parcels; the other types belong to one waybill each. */
const MULTIPLE = 'RIT0003';
const INSERT = 'I';
const PARCEL = 'P';
/** Where the morning ends was not found: an hour that no round of a courier has. */
const NOON_BREAK = '13:00';

/** Books with one write. "A pickup exists already" is a refusal, since nothing in it shows that it is this one. */
export async function bookPickup(context: CarrierContext<Account>, request: PickupRequest): Promise<BookedPickup> {
  const { bookingId, result } = await ask(
    context,
    { operation: 'pickup', effect: 'write', method: 'POST', body: { pickup: { item: [pickupOf(request)] } } },
    PickupAnswer,
  );
  const refused = result.item.find((one) => one.result === 'KO');
  if (refused) throw failureOf(refused, 'write', { isOfOne: true });
  if (bookingId === '') throw new Error('The pickup was booked without a number');
  return { confirmation: bookingId, message: '' };
}

function pickupOf({ reference, date, from, to, place, parcels, note }: PickupRequest) {
  const where = placeOf(place, 'place of a pickup');
  if (where.streetNumber === '')
    throw notAsked('the place of a pickup needs its civic number, or "snc", after the street');
  if (parcels.length === 0) throw notAsked('a pickup needs at least one parcel');
  const words = plain(note);
  if (words.length > PLACE_MAX.pickupNote || isUnwritable(note)) {
    throw notAsked(`the note of a pickup may have ${PLACE_MAX.pickupNote} Latin characters`);
  }
  return {
    operation: INSERT,
    bookingType: MULTIPLE,
    where: { item: [where] },
    content: { item: parcels.map(contentOf) },
    pickupDate: date.replaceAll('-', ''),
    timeSlot: slotOf(from, to),
    note1: reference,
    note2: words,
  };
}

function slotOf(from: string, to: string): string {
  if (to <= NOON_BREAK) return 'AM';
  return from >= NOON_BREAK ? 'PM' : 'AMPM';
}

/** Kilograms and centimetres, unlike a waybill. */
function contentOf({ weightGrams, lengthMm, widthMm, heightMm }: DraftParcel) {
  return {
    containerType: PARCEL,
    quantity: 1,
    weight: weightGrams / 1000,
    height: heightMm / 10,
    width: widthMm / 10,
    length: lengthMm / 10,
  };
}
