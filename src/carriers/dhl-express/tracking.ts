import { instantOf } from '../../lib/clock.ts';
import { readEach, warnOf } from '../../lib/read-each.ts';
import type { CarrierContext, CarrierEvent, ShipmentHandle, TrackingReport } from '../adapter.ts';
import { isNothingFound, refusalOf } from './refusals.ts';
import { type Account, TrackedEvent, TrackedShipment, TrackingAnswer } from './schema.ts';
import { meaningOf } from './tracking-codes.ts';
import { ask } from './wire.ts';

/** Tracks one shipment at a time: asked about many, DHL does not say how far from Greenwich their times are. */
export async function track(context: CarrierContext<Account>, shipment: ShipmentHandle): Promise<TrackingReport> {
  const answer = await ask(
    context,
    {
      operation: 'trackShipment',
      effect: 'read',
      method: 'GET',
      path: `/shipments/${encodeURIComponent(shipment.trackingNumber)}/tracking`,
      query: { trackingView: 'all-checkpoints', levelOfDetail: 'shipment', requestGMTOffsetPerEvent: 'true' },
    },
    TrackingAnswer,
  );
  if ('refusal' in answer) {
    if (isNothingFound(answer)) return { found: false, events: [], related: [] };
    throw refusalOf(answer);
  }
  const { log, account } = context;
  const shipments = readEach(TrackedShipment, answer.value.shipments, warnOf(log, 'shipments'));
  const own = shipments.find((one) => one.shipmentTrackingNumber === shipment.trackingNumber);
  if (!own) throw new Error('The answer holds other shipments only');
  // An event without a time would lose the others when it is kept.
  const Dated = TrackedEvent.refine((event) => !Number.isNaN(instantOfEvent(event, account.timeZone).getTime()), {
    path: ['date'],
  });
  const events = readEach(Dated, own.events, warnOf(log, 'tracking events'));
  return { found: true, events: events.map((event) => eventOf(event, account.timeZone)), related: [] };
}

function eventOf(event: TrackedEvent, timeZone: string): CarrierEvent {
  const code = event.typeCode;
  const meaning = meaningOf(code);
  const [place] = event.serviceArea;
  return {
    code,
    text: event.description,
    at: instantOfEvent(event, timeZone),
    location: place ? place.description || place.code : '',
    note: '',
    status: 'unrecognised',
    ...meaning,
  };
}

/** Times are those of the place, with its distance from Greenwich; where DHL leaves that out, the sender's clock is taken. */
function instantOfEvent({ date, time, GMTOffset }: TrackedEvent, timeZone: string): Date {
  if (/^[+-]\d{2}:\d{2}$/.test(GMTOffset)) return new Date(`${date}T${time}${GMTOffset}`);
  if (Number.isNaN(Date.parse(`${date}T${time}Z`))) return new Date(Number.NaN);
  return instantOf(date, time.slice(0, 5), timeZone);
}
