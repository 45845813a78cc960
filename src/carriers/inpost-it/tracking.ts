import { readEach, warnOf } from '../../lib/read-each.ts';
import type { CarrierContext, ShipmentHandle, TrackingReport } from '../adapter.ts';
import { refusalOf } from './refusals.ts';
import { type Account, TracedEvent, Tracking } from './schema.ts';
import { meaningOf } from './tracking-codes.ts';
import { ask, isUnknownThing } from './wire.ts';

/** Tracks without a token, since tracking is public. InPost writes no words for an event, only its code. */
export async function track(context: CarrierContext<Account>, shipment: ShipmentHandle): Promise<TrackingReport> {
  const { trackingNumber } = shipment;
  const answer = await ask(
    context,
    {
      operation: 'tracking',
      effect: 'read',
      method: 'GET',
      path: `/v1/tracking/${encodeURIComponent(trackingNumber)}`,
      isPublic: true,
    },
    Tracking,
  );
  if ('refusal' in answer) {
    if (isUnknownThing(answer)) return { found: false, events: [], related: [] };
    throw refusalOf(answer);
  }
  const { tracking_number, tracking_details } = answer.value;
  if (tracking_number !== trackingNumber) throw new Error(`The answer is about ${tracking_number}`);
  const traced = readEach(TracedEvent, tracking_details, warnOf(context.log, 'tracking events'));
  return {
    found: true,
    related: [],
    events: traced.map(({ status: code, datetime, location, agency }) => {
      const meaning = meaningOf(code);
      return {
        code,
        text: code.replaceAll('_', ' '),
        at: new Date(datetime),
        location: location || agency,
        note: '',
        status: meaning?.status ?? 'unrecognised',
        ...(meaning?.delayed ? { delayed: true } : {}),
      };
    }),
  };
}
