import { wallClock } from '../../clock.ts';
import { no, type Refusal } from './answers.ts';
import type { Books, Shipment } from './books.ts';
import { journeyOf } from './journey.ts';

const TIME_ZONE = 'Europe/Rome';
const NOTHING = [{ code: 'TW0001', message: 'Tracking Information Not Found' }];

/** UPS answers 200 for what it does not know, with a warning. */
function answer(inquiryNumber: string, packages: readonly object[]): object {
  const shipment =
    packages.length > 0
      ? packages.map((one) => ({ inquiryNumber, package: [one] }))
      : [{ inquiryNumber, warnings: NOTHING }];
  return { trackResponse: { shipment } };
}

/** Tracks the one package that has the number. */
export function trackedNumber(books: Books, number: string): object | Refusal {
  if (number.length < 7 || number.length > 34) return no('TV1002', 'Invalid inquiry number');
  const shipment = books.find(number);
  return answer(number, shipment ? [packageOf(shipment, number, books.now())] : []);
}

/** Packages of one shipper under a reference, picked up between two days. */
export function trackedReference(books: Books, reference: string, query: URLSearchParams): object {
  const from = query.get('fromPickUpDate') ?? '';
  const to = query.get('toPickUpDate') || '99999999';
  const found = books
    .search(reference, query.get('shipperNum') ?? '')
    .filter(({ pickupDate }) => pickupDate >= from && pickupDate <= to)
    .flatMap((shipment) => shipment.packages.map(({ number }) => packageOf(shipment, number, books.now())));
  return answer(reference, found);
}

function packageOf(shipment: Shipment, number: string, now: Date): object {
  const events = journeyOf(shipment, now);
  const [latest] = events;
  return {
    trackingNumber: number,
    activity: events.map(({ at, code, type, text, isLocal }) => {
      const { date, time } = wallClock(at, TIME_ZONE);
      const { city, country } = isLocal ? shipment.sender : shipment.recipient;
      return {
        location: { address: { city, countryCode: country, country }, slic: '0000' },
        status: { type, description: text, code: type, statusCode: code },
        date: date.replaceAll('-', ''),
        time: `${time.replace(':', '')}00`,
        gmtOffset: offsetOf(at),
      };
    }),
    currentStatus: { code: latest?.code, description: latest?.text },
    packageCount: shipment.packages.length,
    referenceNumber: shipment.references.map((value) => ({ type: 'SHIPMENT', number: value })),
  };
}

function offsetOf(at: Date): string {
  const { date, time } = wallClock(at, TIME_ZONE);
  const hours = Math.round((Date.parse(`${date}T${time}:00Z`) - at.getTime()) / 3_600_000);
  return `+0${hours}:00`;
}
