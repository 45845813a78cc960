import { wallClock } from '../../clock.ts';
import type { Books, Waybill } from './books.ts';
import { journeyOf } from './journey.ts';
import { TrackingRequest } from './protocol.ts';

/** Answers for all requested waybills at once. A fresh one has no events and a message. */
export function trackingAnswer(books: Books, body: unknown): object {
  const request = TrackingRequest.safeParse(body);
  if (!request.success) {
    const [issue] = request.error.issues;
    return { return: outcome('KO', 100, [message('100', issue?.path.join('.') ?? '', issue?.message ?? '')], []) };
  }
  const shipments = request.data.arg0.shipmentsData.map(({ waybillNumber, lastTracingState }) => {
    const waybill = books.find(waybillNumber);
    const events = waybill ? tracedOf(waybill, books.now()) : [];
    return {
      waybillNumber,
      product: waybill?.product ?? '',
      NotificationFlag: 'N',
      returnFlag: 'N',
      tracking: lastTracingState === 'N' ? events : events.slice(0, 1),
    };
  });
  const fresh = shipments.filter(({ tracking }) => tracking.length === 0);
  const messages = fresh.map(({ waybillNumber }) => message('0', 'waybillNumber', `${waybillNumber}: nessun esito`));
  return { return: outcome('OK', 0, messages, shipments) };
}

function outcome(result: 'OK' | 'KO', code: number, messages: object[], shipment: object[]): object {
  return { outcome: result, code, result, messages: messages.length > 0 ? [{ messages }] : [], shipment };
}

function message(code: string, field: string, words: string): object {
  return { code, field, message: words, objectName: '', severity: 'INFO' };
}

function tracedOf(waybill: Waybill, now: Date): object[] {
  return journeyOf(waybill, now).map(({ at, code, text, phase, isLocal }) => {
    const { date, time } = wallClock(at, 'Europe/Rome');
    const { city, province } = isLocal ? waybill.sender : waybill.recipient;
    return {
      data: `${date} ${time}:00`,
      officeId: 'UP',
      officeDescription: `${city} (${province})`,
      status: code,
      StatusDescription: text,
      appStatusDescription: text,
      ivrStatusDescription: text,
      synthesisStatusDescription: text,
      phase,
    };
  });
}
