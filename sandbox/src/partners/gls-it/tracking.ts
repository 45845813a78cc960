import { wallClock } from '../../clock.ts';
import type { Books } from './books.ts';
import { type JourneyEvent, journeyOf, wayBackOf } from './journey.ts';
import type { Shipment } from './shipment.ts';
import { element, type Fields, leaves, type Pairs } from './xml.ts';

/** Builds the tracking document for a query, to be sent as ISO-8859-1. The contract or customer code is the only key. */
export function trackingDocument(books: Books, query: Fields): string {
  const { locpartenza = '', NumSped, bda, CodCli, Cli } = query;
  const shipment = books.findTracked(
    (known) =>
      known.sede === locpartenza &&
      (CodCli === undefined ? known.cliente === Cli : sameNumber(known.contratto, CodCli)) &&
      (NumSped === undefined ? bda !== undefined && known.bda === bda : known.number === NumSped),
  );
  if (!shipment) return element('ELENCO', leaves([['TESTOERRORE', 'Nessuna spedizione con questi dati']]));
  const now = books.now();
  const back = shipment.release?.type === '3' ? element('SPEDIZIONEDIRIENTRO', returnBody(shipment, now)) : '';
  return element('ELENCO', element('SPEDIZIONE', shipmentBody(shipment, now) + back));
}

/** "0001" and "1" are the same contract. */
function sameNumber(one: string, other: string): boolean {
  return one.replace(/^0+/, '') === other.replace(/^0+/, '');
}

function dayOf(at: Date): string {
  const [year = '', month = '', day = ''] = wallClock(at, 'Europe/Rome').date.split('-');
  return `${day}/${month}/${year.slice(2)}`;
}

/** The service is not of one mind about times: a colon, sometimes a dot, sometimes none at all, and minutes above 59. */
function timeOf({ at, code }: JourneyEvent): string {
  const { time } = wallClock(at, 'Europe/Rome');
  if (code === '909') return '';
  const [hours = '', minutes = ''] = time.split(':');
  if (code === '902' && hours > '00') {
    return `${String(Number(hours) - 1).padStart(2, '0')}:${Number(minutes) + 60}`;
  }
  return code === '903' ? time.replace(':', '.') : time;
}

function trackingOf(events: readonly JourneyEvent[]): string {
  const flat = events.toReversed().flatMap(
    (event): Pairs => [
      ['Data', dayOf(event.at)],
      ['Ora', timeOf(event)],
      ['Luogo', event.place],
      ['Stato', event.text],
      ['Note', event.note],
      ['Codice', event.code],
    ],
  );
  return element('TRACKING', leaves(flat));
}

function shipmentBody(shipment: Shipment, now: Date): string {
  const events = journeyOf(shipment, now);
  return (
    leaves([
      ['NumSped', shipment.number],
      ['Bda', shipment.bda],
      ['DataPartenza', dayOf(new Date(shipment.createdAt))],
      ['SedePartenza', shipment.sede],
      ['LocalitaSedePartenza', `SEDE ${shipment.sede}`],
      ['Destinatario', shipment.name],
      ['IndirizzoDestinazione', shipment.address],
      ['CapDestinatario', shipment.zip],
      ['CittaDestinazione', shipment.city],
      ['SedeDestinazione', shipment.route?.depot ?? ''],
      ...outcomeOf(events, shipment.name),
      ['NumeroColli', shipment.parcels.length],
      [
        'Peso',
        shipment.parcels
          .reduce((sum, parcel) => sum + parcel.weightKg, 0)
          .toFixed(1)
          .replace('.', ','),
      ],
      ['Contrassegno', (shipment.codCents / 100).toFixed(2).replace('.', ',')],
    ]) + trackingOf(events)
  );
}

function returnBody(shipment: Shipment, now: Date): string {
  const events = wayBackOf(shipment, now);
  return (
    leaves([
      ['NumSped', shipment.release?.returnNumber ?? ''],
      ['Bda', shipment.bda],
      ['DataPartenza', dayOf(new Date(shipment.release?.at ?? 0))],
      ['SedePartenza', shipment.route?.depot ?? ''],
      ['SedeDestinazione', shipment.sede],
      ...outcomeOf(events, `CLIENTE ${shipment.cliente}`),
      ['NumeroColli', shipment.parcels.length],
    ]) + trackingOf(events)
  );
}

/** Delivered: date, time and signature; else the note of the last event. */
function outcomeOf(events: readonly JourneyEvent[], receiver: string): Pairs {
  const last = events.at(-1);
  const state = ['StatoSpedizione', last?.text.toUpperCase() ?? ''] as const;
  if (last?.code !== '906') return [state, ['DataConsegna', ''], ['Note', last?.note ?? '']];
  return [state, ['DataConsegna', dayOf(last.at)], ['OraConsegna', timeOf(last)], ['Firma', receiver]];
}
