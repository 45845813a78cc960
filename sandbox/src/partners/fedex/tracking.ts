import { systemClock, wallClock } from '../../clock.ts';
import { no, type Refusal } from './answers.ts';
import type { Books, Shipment } from './books.ts';
import { type JourneyEvent, journeyOf } from './journey.ts';
import type { NumberQuestion, ReferenceQuestion } from './protocol.ts';

type Dates = Pick<NumberQuestion['trackingInfo'][number], 'shipDateBegin' | 'shipDateEnd'>;

const TIME_ZONE = 'Europe/Rome';
const DAY_MS = 86_400_000;
const MAX_DAYS = 30;

const NO_NUMBER = {
  code: 'TRACKING.TRACKINGNUMBER.NOTFOUND',
  message: 'Tracking number cannot be found. Please correct the tracking number and try again.',
};
const NO_REFERENCE = {
  code: 'TRACKING.REFERENCENUMBER.NOTFOUND',
  message: 'Reference number cannot be found. Please correct the reference number and try again.',
};
const INCOMPLETE = no(
  'TRACKING.REFERENCEDATA.INCOMPLETE',
  'Please enter an account number or destination country/territory and postal code.',
);
const FUTURE = no('TRACKING.SHIPDATEEND.FUTURE', 'Invalid ship date range. End date must not be in the future.');
const TOO_LONG = no(
  'TRACKING.SHIPDATERANGE.ERROR',
  'Invalid date range. Please check for following conditions: 1. End date is before Begin date. 2. Begin date is beyond 2 years. 3. Begin to End date exceeds 30 days.',
);

/** Tracks the one package that has the number. FedEx answers 200 for an unknown one, with an error inside. */
export function trackedNumbers(books: Books, question: NumberQuestion): object | Refusal {
  const { trackingInfo, includeDetailedScans: withScans } = question;
  const refusal = trackingInfo.map(refusalOfDates).find((refused) => refused !== null);
  if (refusal) return refusal;
  return {
    completeTrackResults: trackingInfo.map(({ trackingNumberInfo, shipDateBegin = '', shipDateEnd = '9999' }) => {
      const { trackingNumber } = trackingNumberInfo;
      const shipment = books.find(trackingNumber);
      const isWithin = shipment && shipment.shipDate >= shipDateBegin && shipment.shipDate <= shipDateEnd;
      const result = isWithin
        ? resultOf(books, shipment, { number: trackingNumber, withScans })
        : unknown(trackingNumber);
      return { trackingNumber, trackResults: [result] };
    }),
  };
}

function refusalOfDates({ shipDateBegin: from, shipDateEnd: to }: Dates): Refusal | null {
  if (to !== undefined && to > wallClock(systemClock(), TIME_ZONE).date) return FUTURE;
  if (from === undefined || to === undefined) return null;
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS;
  return days < 0 || days > MAX_DAYS ? TOO_LONG : null;
}

function unknown(trackingNumber: string): object {
  return { trackingNumberInfo: { trackingNumber, trackingNumberUniqueId: '' }, error: NO_NUMBER };
}

/** Tracks every package of the account's shipments under a reference, dated between two days. */
export function trackedReference(books: Books, question: ReferenceQuestion): object | Refusal {
  const { value, accountNumber, shipDateBegin: from, shipDateEnd: to } = question;
  if (!accountNumber) return INCOMPLETE;
  const refusal = refusalOfDates(question);
  if (refusal) return refusal;
  const found = books
    .search(value, accountNumber)
    .filter(({ shipDate }) => shipDate >= from && shipDate <= to)
    .flatMap((shipment) => shipment.packages.map(({ number }) => ({ shipment, number })));
  if (found.length === 0) return { completeTrackResults: [{ trackResults: [{ error: NO_REFERENCE }] }] };
  return {
    completeTrackResults: found.map(({ shipment, number }) => ({
      trackingNumber: number,
      trackResults: [resultOf(books, shipment, { number, withScans: false })],
    })),
  };
}

function resultOf(
  books: Books,
  shipment: Shipment,
  { number, withScans }: { number: string; withScans: boolean },
): object {
  const events = journeyOf(shipment, books.now());
  const [latest] = events;
  const { master, packages, reference, orderNumber } = shipment;
  const place = packages.findIndex((one) => one.number === number) + 1;
  return {
    trackingNumberInfo: { trackingNumber: number, trackingNumberUniqueId: `1~${number}~FX`, carrierCode: 'FDXE' },
    additionalTrackingInfo: {
      hasAssociatedShipments: packages.length > 1,
      packageIdentifiers: [
        { type: 'CUSTOMER_REFERENCE', values: [reference] },
        ...(orderNumber === '' ? [] : [{ type: 'PURCHASE_ORDER', values: [orderNumber] }]),
        ...(packages.length === 1 ? [] : [{ type: 'STANDARD_MPS', values: [master] }]),
      ],
    },
    latestStatusDetail: {
      code: latest?.derived,
      derivedCode: latest?.derived,
      statusByLocale: latest?.text,
      description: latest?.text,
    },
    packageDetails: { sequenceNumber: String(place), count: String(packages.length) },
    ...(withScans ? { scanEvents: events.map((event) => scanOf(event, shipment)) } : {}),
  };
}

function scanOf({ at, type, derived, text, exception, isLocal }: JourneyEvent, shipment: Shipment): object {
  const { city, country, zip } = isLocal ? shipment.sender : shipment.recipient;
  return {
    date: localTime(at),
    eventType: type,
    eventDescription: text,
    exceptionCode: exception?.code ?? '',
    exceptionDescription: exception?.text ?? '',
    derivedStatus: text,
    derivedStatusCode: derived,
    scanLocation: { city, postalCode: zip, countryCode: country },
  };
}

/** Formats the local time of the place, with its distance from Greenwich. */
function localTime(at: Date): string {
  const { date, time } = wallClock(at, TIME_ZONE);
  const hours = Math.round((Date.parse(`${date}T${time}:00Z`) - at.getTime()) / 3_600_000);
  const seconds = String(at.getUTCSeconds()).padStart(2, '0');
  return `${date}T${time}:${seconds}+0${hours}:00`;
}
