import { isFinal, statusInContext } from '../../domain/tracking-status.ts';
import { carriedTime, instantOf } from '../../lib/clock.ts';
import { readEach, warnOf } from '../../lib/read-each.ts';
import type { CarrierContext, CarrierEvent, ShipmentHandle, TrackingReport } from '../adapter.ts';
import { numbersOf } from '../parcels.ts';
import { failureOfOutcome, isFine } from './codes.ts';
import { type Account, TracedEvent, TracedShipment, TrackingAnswer } from './schema.ts';
import { statusOf } from './tracking-codes.ts';
import { ask } from './wire.ts';

/** Tracks all waybills of the shipment in one question; N asks for every event and not for the last one. */
export async function track(context: CarrierContext<Account>, shipment: ShipmentHandle): Promise<TrackingReport> {
  const numbers = numbersOf(shipment);
  const { return: said } = await ask(
    context,
    {
      operation: 'tracking',
      effect: 'read',
      method: 'POST',
      body: {
        arg0: {
          shipmentsData: numbers.map((waybillNumber) => ({ waybillNumber, lastTracingState: 'N' })),
          statusDescription: 'E',
          customerType: 'DQ',
        },
      },
    },
    TrackingAnswer,
  );
  if (said.outcome === 'KO' || !isFine({ errorCode: said.code })) {
    throw failureOfOutcome(said.code, said.messages.join('; '));
  }
  const traced = readEach(TracedShipment, said.shipment, warnOf(context.log, 'traced shipments'));
  const own = traced.filter(({ waybillNumber }) => numbers.includes(waybillNumber));
  if (own.length === 0 && said.shipment.length > 0) throw new Error('The answer holds other shipments only');
  const events = together(
    numbers.map((number) => {
      const raws = own.find(({ waybillNumber }) => waybillNumber === number)?.tracking ?? [];
      const read = readEach(TracedEvent, raws, warnOf(context.log, 'tracking events'));
      return read.map((event) => eventOf(event, numbers.length > 1 ? number : ''));
    }),
  );
  // A fresh waybill has an empty list.
  return { found: events.length > 0, events, related: [] };
}

/**
 * Joins the events of several parcels. The shipment ends with its last parcel, and until then the end of one is only
 * news.
 */
export function together(parcels: readonly CarrierEvent[][]): CarrierEvent[] {
  const isOver = parcels.every((events) => events.some(isEnd));
  return parcels
    .flat()
    .map((event) =>
      !isOver && isEnd(event) ? { ...event, context: 'part', status: statusInContext(event.status, 'part') } : event,
    );
}

function isEnd({ status }: CarrierEvent): boolean {
  return status !== 'unrecognised' && isFinal(status);
}

function eventOf(event: TracedEvent, number: string): CarrierEvent {
  const { data, officeDescription, status, StatusDescription, phase } = event;
  const seconds = Number(data.slice(17, 19)) || 0;
  const day = data.slice(0, 10);
  const { date, time } = carriedTime(day, data.slice(11, 16)) ?? { date: day, time: '00:00' };
  return {
    code: status,
    text: StatusDescription || phase,
    at: new Date(instantOf(date, time, 'Europe/Rome').getTime() + seconds * 1000),
    location: officeDescription,
    // The phase is what an event without a known code is recognised by, so it must be seen.
    note: [phase, number].filter((part) => part !== '').join(', '),
    status: statusOf(event),
  };
}
