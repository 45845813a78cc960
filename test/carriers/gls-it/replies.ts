import { glsIt } from '../../../src/carriers/gls-it/index.ts';
import { againstOf } from '../../support/call-carrier.ts';
import type { FakeServer, Reply } from '../../support/fake-server.ts';

/** Answers of the GLS services, after public wire examples read on 2026-11-21; names and numbers invented. */

export const PDF = Buffer.from('%PDF-1.4\n%%EOF');

export function xml(body: string, to?: string): Reply {
  return {
    headers: { 'content-type': 'text/xml; charset=utf-8' },
    body: `<?xml version="1.0" encoding="utf-8"?>\r\n${body}`,
    ...(to === undefined ? {} : { to }),
  };
}

export function leaves(fields: Record<string, string | number>): string {
  return Object.entries(fields)
    .map(([name, value]) => `<${name}>${value}</${name}>`)
    .join('');
}

export function escaped(markup: string): string {
  const text = markup.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return `<string xmlns="https://labelservice.gls-italy.com/">${text}</string>`;
}

export function soldParcel(overrides: Record<string, string | number> = {}): string {
  const fields = {
    SiglaMittente: 'YA',
    NumeroSpedizione: '610000001',
    TotaleColli: 1,
    SiglaSedeDestino: 'MI',
    DescrizioneSedeDestino: 'MILANO',
    NoteSpedizione: '',
    ProgressivoCollo: 1,
    ContatoreProgressivo: 4201,
    PdfLabel: PDF.toString('base64'),
    Zpl: '',
    ...overrides,
  };
  return `<Parcel>${leaves(fields)}</Parcel>`;
}

export const infoLabel = (...parcels: string[]): Reply =>
  xml(`<InfoLabel>${parcels.join('')}</InfoLabel>`, 'POST /ilswebservice.asmx/AddParcel');

export const refusedParcel = (words: string): string => `<Parcel><NoteSpedizione>${words}</NoteSpedizione></Parcel>`;

export const wholeCallError = (words: string): Reply => xml(`<DescrizioneErrore>${words}</DescrizioneErrore>`);

export function list(...items: Record<string, string | number>[]): Reply {
  const parcels = items.map((item) => {
    const fields = {
      NumSpedizione: '610000001',
      RiferimentiCliente: 'SM0000042 2026-0007',
      Ddt: 'SM0000042',
      TotaleColli: 1,
      StatoSpedizione: 'IN ATTESA DI CHIUSURA.',
      ...item,
    };
    return `<Parcel>${leaves(fields)}</Parcel>`;
  });
  return xml(escaped(`<ListParcel>${parcels.join('')}</ListParcel>`), 'POST /ilswebservice.asmx/ListSped');
}

export const kept = (label: Buffer | null, method = 'GetPdf'): Reply =>
  xml(
    `<base64Binary xmlns="https://labelservice.gls-italy.com/">${label?.toString('base64') ?? ''}</base64Binary>`,
    `POST /ilswebservice.asmx/${method}`,
  );

type Closed = [number: string, esito: string];

export function closed(...parcels: Closed[]): Reply {
  return closedWithList(null, ...parcels);
}

export function closedWithList(list: Buffer | null, ...parcels: Closed[]): Reply {
  const answers = parcels.map(
    ([number, esito]) => `<Parcel>${leaves({ NumeroDiSpedizioneGLSDaConfermare: number, esito })}</Parcel>`,
  );
  const document = list ? `<DistintaPDF>${list.toString('base64')}</DistintaPDF>` : '';
  return xml(
    `<CloseWorkDayByShipmentNumberResult><DescrizioneErrore>OK</DescrizioneErrore>${answers.join('')}${document}</CloseWorkDayByShipmentNumberResult>`,
    'POST /ilswebservice.asmx/CloseWorkDayByShipmentNumber',
  );
}

export const deleted = (words: string): Reply =>
  xml(`<DescrizioneErrore>${words}</DescrizioneErrore>`, 'POST /ilswebservice.asmx/DeleteSped');

/** A tracking document in Latin-1, its inside given as it is on the wire. */
export const tracked = (inside: string): Reply => ({
  to: 'GET /XML/get_xml_track.php',
  headers: { 'content-type': 'text/xml' },
  body: Buffer.from(`<?xml version="1.0" encoding="ISO-8859-1"?>\n<ELENCO>${inside}</ELENCO>`, 'latin1'),
});

export interface WireEvent {
  Data?: string;
  Ora?: string;
  Luogo?: string;
  Stato?: string;
  Note?: string;
  Codice: string;
}

export function shipmentWith(events: WireEvent[], more = ''): string {
  const flat = events.map((event) =>
    leaves({ Data: '16/11/26', Ora: '10:30', Luogo: 'MILANO', Stato: 'x', Note: '', ...event }),
  );
  return `<SPEDIZIONE><NumSped>610000001</NumSped><TRACKING>${flat.join('')}</TRACKING>${more}</SPEDIZIONE>`;
}

export const account = (baseUrl: string) => ({
  sedeGls: 'ya',
  codiceClienteGls: '999901',
  passwordClienteGls: 'Segreta9!',
  codiceContrattoGls: '0001',
  baseUrl,
});

export const handle = { reference: 'SM0000042', trackingNumber: 'YA610000001', carrierReference: '610000001' };

export const against = againstOf(glsIt, account);

/** The inside of every `<Parcel>` in the XML parameter of the first request. */
export function parcelsOf(server: FakeServer, parameter: string): string[] {
  const document = new URLSearchParams(server.requests[0]?.body).get(parameter) ?? '';
  return document.split('<Parcel>').slice(1);
}
