import { wallClock } from '../../clock.ts';
import { missing, notFound, type Refusal } from './answers.ts';
import type { Books, Shipment } from './books.ts';
import { journeyOf } from './journey.ts';

const TIME_ZONE = 'Europe/Rome';

export function trackingAnswer(shipments: readonly Shipment[], { now, view }: { now: Date; view: string }): object {
  return { shipments: shipments.map((shipment) => tracked(shipment, { now, view })) };
}

/** Names and places of people are left empty, as DHL may do for the sake of their privacy. */
function tracked(shipment: Shipment, { now, view }: { now: Date; view: string }): object {
  const events = journeyOf(shipment, now);
  const shown = view === 'shipment-details-only' ? [] : view === 'last-checkpoint' ? events.slice(0, 1) : events;
  const { date, time } = wallClock(new Date(shipment.createdAt), TIME_ZONE);
  return {
    shipmentTrackingNumber: shipment.number,
    status: 'Success',
    shipmentTimestamp: `${date}T${time}:00`,
    productCode: shipment.product,
    description: shipment.description,
    shipperDetails: { name: '', postalAddress: { cityName: '', countryCode: shipment.sender.countryCode } },
    receiverDetails: { name: '', postalAddress: { cityName: '', countryCode: shipment.recipient.countryCode } },
    totalWeight: shipment.pieces.reduce((sum, { weightKg }) => sum + weightKg, 0),
    unitOfMeasurements: 'metric',
    shipperReferences: shipment.references.map((value) => ({ value, typeCode: 'CU' })),
    events: shown.map(({ at, code, text, isLocal }) => {
      const wall = wallClock(at, TIME_ZONE);
      const place = isLocal ? shipment.sender : shipment.recipient;
      return {
        date: wall.date,
        time: `${wall.time}:00`,
        GMTOffset: offsetOf(at),
        typeCode: code,
        description: text,
        serviceArea: [
          { code: place.cityName.slice(0, 3).toUpperCase(), description: `${place.cityName}-${place.countryCode}` },
        ],
      };
    }),
    numberOfPieces: shipment.pieces.length,
  };
}

function offsetOf(at: Date): string {
  const { date, time } = wallClock(at, TIME_ZONE);
  const hours = Math.round((Date.parse(`${date}T${time}:00Z`) - at.getTime()) / 3_600_000);
  return `+0${hours}:00`;
}

/** Searches by shipment numbers, or by a reference of one account within a time frame. */
export function searched(books: Books, query: URLSearchParams): Shipment[] | Refusal {
  const numbers = query.getAll('shipmentTrackingNumber').flatMap((value) => value.split(','));
  if (numbers.length > 0) {
    const found = books.search(({ number }) => numbers.includes(number));
    return found.length > 0 ? found : notFound('No data found', 'Not data found');
  }
  const reference = query.get('shipmentReference') ?? '';
  const needed = ['shipmentReference', 'shipperAccountNumber', 'dateRangeFrom', 'dateRangeTo'];
  const absent = needed.filter((name) => !query.get(name));
  if (absent.length > 0) return missing(absent);
  const found = books.search(
    ({ references, account, plannedDate }) =>
      references.includes(reference) &&
      account === query.get('shipperAccountNumber') &&
      plannedDate >= (query.get('dateRangeFrom') ?? '') &&
      plannedDate <= (query.get('dateRangeTo') ?? ''),
  );
  return found.length > 0 ? found : notFound(`No Shipments Found for ReferenceID | ${reference}`, 'Not data found');
}
