import { wallClock } from '../../clock.ts';
import type { Books } from './books.ts';
import { type JourneyEvent, journeyOf } from './journey.ts';
import { messageOf, Refusal } from './messages.ts';
import { type Shipment, trackingIdOf } from './shipment.ts';
import { logIn } from './shipments.ts';

/** The list of events always has as many places; those not needed stay empty. */
const EVENT_PLACES = 20;
const NOT_FOUND = -11;

const EMPTY_EVENT = { data: '', ora: '', id: '', descrizione: '', filiale: '' };

function dayOf(at: Date): string {
  return wallClock(at, 'Europe/Rome').date.split('-').toReversed().join('.');
}

function timeOf(at: Date): string {
  return wallClock(at, 'Europe/Rome').time.replace(':', '.');
}

/** Newest first, filled up. */
function eventsOf(events: readonly JourneyEvent[]): { evento: typeof EMPTY_EVENT }[] {
  const written = events.toReversed().map(({ at, code, text, depot }) => ({
    evento: { data: dayOf(at), ora: timeOf(at), id: code, descrizione: text, filiale: depot },
  }));
  const empty = Array.from({ length: Math.max(0, EVENT_PLACES - written.length) }, () => ({ evento: EMPTY_EVENT }));
  return [...written, ...empty];
}

/** Returns what both services know about a shipment; the SOAP one writes it in capitals. */
export function billOf(shipment: Shipment, now: Date) {
  const events = journeyOf(shipment, now);
  const done = events.find(({ code }) => code === '704' || code === '724');
  const last = events.at(-1);
  return {
    bolla: {
      dati_spedizione: {
        spedizione_id: shipment.id,
        spedizione_data: dayOf(new Date(shipment.createdAt)),
        porto: 'PORTO FRANCO',
        cod_filiale_arrivo: shipment.place.depot,
        filiale_arrivo: shipment.place.depotName,
        descrizione_stato_sped_parte1: last?.text ?? '',
      },
      dati_consegna: {
        data_consegna_merce: done ? dayOf(done.at) : '',
        ora_consegna_merce: done ? timeOf(done.at) : '',
        firmatario_consegna: done ? shipment.name : '',
      },
      merce: {
        colli: shipment.parcels,
        peso_kg: shipment.weightKg,
        volume_m3: shipment.volumeM3,
        natura_merce: shipment.contents,
      },
      contrassegno: { contrassegno_importo: shipment.codCents / 100, contrassegno_divisa: 'EUR' },
      riferimenti: {
        riferimento_mittente_numerico: shipment.numeric,
        riferimento_mittente_alfabetico: shipment.alphanumeric,
        riferimento_partner_estero: '',
      },
    },
    lista_eventi: eventsOf(events),
  };
}

/** Answers GET /tracking/parcelID/…, with userID and password as headers. */
export function parcelTracking(books: Books, parcelId: string, headers: { userID: string; password: string }) {
  const head = { currentTimeUTC: books.now().toISOString(), versione: 1 };
  try {
    if (headers.userID === '' || headers.password === '') throw new Refusal(-57, 'MISSING PARAM');
    const user = logIn(headers);
    const shipment = books.find(
      (known) =>
        known.customer === user &&
        Array.from({ length: known.parcels }, (_, index) => trackingIdOf(known, index + 1)).includes(parcelId),
    );
    if (!shipment) throw new Refusal(NOT_FOUND, 'PARCEL NOT FOUND');
    return {
      ttParcelIdResponse: { ...head, executionMessage: messageOf(0), esito: 0, ...billOf(shipment, books.now()) },
    };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return {
      ttParcelIdResponse: { ...head, executionMessage: messageOf(error.code, error.message), esito: error.code },
    };
  }
}
