import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { wallClock } from '../../clock.ts';
import type { Books } from './books.ts';
import { barcodeOf, type Shipment, trackingIdOf } from './shipment.ts';
import { billOf } from './tracking.ts';

type Input = Record<string, string>;
type Output = Record<string, unknown>;

const found = (shipments: Shipment[]): Output => {
  const [shipment] = shipments;
  const esito = !shipment ? -11 : shipments.length > 1 ? -22 : 0;
  // A number: zeros in front of it are lost.
  return { ESITO: esito, SPEDIZIONE_ID: esito === 0 ? Number(shipment?.id) : 0, VERSIONE: 1 };
};

function byReference(books: Books, input: Input, references: { numeric?: string; alphanumeric?: string }): Output {
  if (!/^\d{7}$/.test(input.CLIENTE_ID ?? '')) return { ESITO: -21, SPEDIZIONE_ID: 0, VERSIONE: 1 };
  const customer = String(Number(input.CLIENTE_ID));
  const { numeric, alphanumeric } = references;
  if (numeric !== undefined) {
    if (!/^\d{1,15}$/.test(numeric)) return { ESITO: -20, SPEDIZIONE_ID: 0, VERSIONE: 1 };
    return found(books.named({ customer, numeric: Number(numeric), alphanumeric: undefined }));
  }
  if (!alphanumeric || alphanumeric.length > 15) return { ESITO: -23, SPEDIZIONE_ID: 0, VERSIONE: 1 };
  const shipment = books.find((known) => known.customer === customer && known.alphanumeric === alphanumeric);
  return found(shipment ? [shipment] : []);
}

function byParcel(books: Books, input: Input): Output {
  const id = input.COLLO_ID ?? '';
  if (id === '' || id.length > 35) return { ESITO: -30, SPEDIZIONE_ID: 0, VERSIONE: 1 };
  const shipment = books.find((known) =>
    Array.from({ length: known.parcels }, (_, index) => [trackingIdOf(known, index + 1), barcodeOf(known, index + 1)])
      .flat()
      .includes(id),
  );
  return found(shipment ? [shipment] : []);
}

/** SPEDIZIONE_ANNO 0 is the current year. */
function tracking(books: Books, input: Input): Output {
  const { SPEDIZIONE_ANNO: year = '', SPEDIZIONE_BRT_ID: id = '', LINGUA_ISO639_ALPHA2: language = '' } = input;
  if (!/^\d{12}$/.test(id)) return { ESITO: -10, VERSIONE: 1 };
  const yearOf = (at: Date): string => wallClock(at, 'Europe/Rome').date.slice(0, 4);
  const wanted = year === '0' ? yearOf(books.now()) : year;
  const shipment = books.find((known) => known.id === id && yearOf(new Date(known.createdAt)) === wanted);
  if (!shipment) return { ESITO: -11, VERSIONE: 1 };
  const { bolla, lista_eventi } = billOf(shipment, books.now());
  return {
    ESITO: /^it$|^$/i.test(language) ? 0 : 2,
    RISPOSTA_TIMESTAMP: books.now().toISOString(),
    VERSIONE: 1,
    BOLLA: bolla,
    LISTA_EVENTI: lista_eventi,
    CONTATORE_EVENTI: lista_eventi.filter(({ evento }) => evento.id !== '').length,
  };
}

type Answer = (books: Books, input: Input) => Output;

export const SOAP_OPERATIONS: Readonly<Record<string, Answer>> = {
  GetIdSpedizioneByRMN: (books, input) =>
    byReference(books, input, { numeric: input.RIFERIMENTO_MITTENTE_NUMERICO ?? '' }),
  GetIdSpedizioneByRMA: (books, input) =>
    byReference(books, input, { alphanumeric: input.RIFERIMENTO_MITTENTE_ALFABETICO ?? '' }),
  GetIdSpedizioneByIdCollo: byParcel,
  BRT_TrackingByBRTshipmentID: tracking,
};

const parser = new XMLParser({
  removeNSPrefix: true,
  ignoreAttributes: true,
  parseTagValue: false,
  ignoreDeclaration: true,
});

/** Answers a SOAP 1.1 envelope that has `arg0` with one that has `return`; null when it is not an envelope. */
export function answerSoap(books: Books, operation: string, xml: string): string | null {
  const run = SOAP_OPERATIONS[operation];
  if (!run || XMLValidator.validate(xml.trim()) !== true) return null;
  const name = operation.toLowerCase();
  const input = parser.parse(xml.trim())?.Envelope?.Body?.[name]?.arg0;
  if (typeof input !== 'object' || input === null) return null;
  const output = written({ return: run(books, input as Input) });
  return (
    `<?xml version="1.0" encoding="UTF-8"?><soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/"><soapenv:Body>` +
    `<a:${name}Response xmlns:a="http://${name}.wsbeans.iseries/">${output}</a:${name}Response></soapenv:Body></soapenv:Envelope>`
  );
}

export const FAULT =
  '<?xml version="1.0" encoding="UTF-8"?><soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/"><soapenv:Body>' +
  '<soapenv:Fault><faultcode>soapenv:Client</faultcode><faultstring>Unmarshalling Error</faultstring></soapenv:Fault></soapenv:Body></soapenv:Envelope>';

/** Elements in capitals, a list as its element again and again. */
function written(value: unknown): string {
  if (typeof value !== 'object' || value === null) return escapeXml(String(value ?? ''));
  return Object.entries(value)
    .flatMap(([name, inside]) => (Array.isArray(inside) ? inside : [inside]).map((one) => [name, one] as const))
    .map(([name, inside]) => {
      const tag = name === 'return' ? name : name.toUpperCase();
      return `<${tag}>${written(inside)}</${tag}>`;
    })
    .join('');
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
