import { wallClock } from '../../clock.ts';
import type { Books, Login } from './books.ts';
import { pdfDistinta } from './labels.ts';
import { candidatesFor, hasCap, type Locality, localitiesNamed } from './localities.ts';
import { addParcels, keptLabel } from './parcels.ts';
import type { Shipment } from './shipment.ts';
import { element, escapeXml, type Fields, leaves, parseInfo } from './xml.ts';

const LABEL_NAMESPACE = 'https://labelservice.gls-italy.com/';
const ADDRESS_NAMESPACE = 'https://checkaddress.gls-italy.com/';

/** An asmx method: form or query parameters in, XML out. */
type Method = (books: Books, parameters: Fields) => string | Promise<string>;

const failure = (words: string): string => element('DescrizioneErrore', escapeXml(words));

/** The wrapper of asmx around a method that returns text. */
const asString = (text: string): string => element('string', escapeXml(text), { xmlns: LABEL_NAMESPACE });

/** Accepts any depot of two letters and any customer number, with a password that starts with "sandbox". */
export function loginOf(sede = '', cliente = '', password = ''): Login | null {
  const known = /^[A-Z]{2}$/i.test(sede) && /^\d{1,6}$/.test(cliente) && password.startsWith('sandbox');
  return known ? { sede: sede.toUpperCase(), cliente } : null;
}

function flat(run: (books: Books, login: Login, parameters: Fields) => string): Method {
  return (books, parameters) => {
    const login = loginOf(parameters.SedeGls, parameters.CodiceClienteGls, parameters.PasswordClienteGls);
    return login ? run(books, login, parameters) : failure('Login fallito.');
  };
}

/** Methods with one XML parameter, by name. */
function documented(
  { parameter, item }: { parameter: string; item: string },
  run: (books: Books, login: Login, items: Fields[]) => string | Promise<string>,
): Method {
  return (books, parameters) => {
    const xml = parameters[parameter];
    const info = xml === undefined ? null : parseInfo(xml, item);
    if (!info) return failure('XML non compatibile.');
    const { head } = info;
    const login = loginOf(head.SedeGls, head.CodiceClienteGls, head.PasswordClienteGls);
    if (!login) return failure('Login fallito.');
    const items = info.items.map((fields) => ({
      ...fields,
      withResult: head.AddParcelResult ?? '',
      withList: head.CloseWorkDayResult ?? '',
    }));
    return run(books, login, items);
  };
}

function listed(shipments: readonly Shipment[]): string {
  const items = shipments.map((shipment) =>
    element(
      'Parcel',
      leaves([
        ['Data', wallClock(new Date(shipment.createdAt), 'Europe/Rome').date.replaceAll('-', '')],
        ['NumSpedizione', shipment.number],
        ['RiferimentiCliente', shipment.customerReference],
        ['Ddt', shipment.bda],
        ['DenominazioneDestinatario', shipment.name],
        ['CittaDestinatario', shipment.city],
        ['ProvinciaDestinatario', shipment.province],
        ['IndirizzoDestinatario', shipment.address],
        ['TotaleColli', shipment.parcels.length],
        ['PesoSpedizione', shipment.parcels.reduce((sum, parcel) => sum + parcel.weightKg, 0).toFixed(1)],
        ['StatoSpedizione', shipment.closedAt === null ? 'IN ATTESA DI CHIUSURA.' : 'CHIUSA.'],
      ]),
    ),
  );
  return asString(element('ListParcel', items.join('')));
}

function getLabel(kind: 'pdf' | 'zpl', bySped: boolean): Method {
  return async (books, parameters) => {
    const login = loginOf(parameters.SedeGls, parameters.CodiceCliente, parameters.Password);
    if (!login) return failure('Login fallito.');
    const counter = parameters.ContatoreProgressivo ?? '';
    const shipment = bySped
      ? books.find(login, ({ number }) => number === parameters.NumeroSpedizione)
      : books.find(login, ({ parcels }) => counter !== '' && parcels.some((parcel) => parcel.counter === counter));
    const place = bySped
      ? Number(parameters.NumeroCollo)
      : (shipment?.parcels.findIndex((parcel) => parcel.counter === counter) ?? -1) + 1;
    return element('base64Binary', await keptLabel(shipment, place, kind), { xmlns: LABEL_NAMESPACE });
  };
}

const RELEASE_TYPES = new Set(['1', '2', '3', '4', '7']);

function released(books: Books, login: Login, fields: Fields): string {
  const { NumeroSpedizione: number = '', TipoSvincolo: type = '' } = fields;
  const complete =
    type !== '2' || ['CognomeNome', 'NuovoIndirizzo', 'NuovaLocalita', 'NuovoZipcode'].every((name) => fields[name]);
  const payable =
    (type !== '1' && type !== '2') || fields.SpeseAdMittente === 'S' || fields.SpeseAdDestinatario === 'S';
  const words = !RELEASE_TYPES.has(type)
    ? 'Tipo svincolo non gestito'
    : !complete || !payable
      ? 'Dati dello svincolo incompleti'
      : books.release(login, { number, type })
        ? 'Ok'
        : 'Spedizione non trovata';
  return element('Spedizione', leaves([['Svincolo', words]]), { Numero: number });
}

function addressOf(locality: Locality, parameters: Fields): string {
  const yes = (flag: boolean): string => (flag ? 'SI' : 'NO');
  const quick = locality.hours === 24 && !locality.remote;
  return element(
    'Address',
    leaves([
      ['SiglaRegione', locality.region],
      ['DescrizioneRegione', locality.regionName.toUpperCase()],
      ['SiglaProvincia', locality.province],
      ['DescrizioneProvincia', locality.provinceName.toUpperCase()],
      ['Cap', hasCap(locality, parameters.Cap ?? '') ? (parameters.Cap ?? '') : locality.capFrom],
      ['Frazione', ''],
      ['Comune', locality.name.toUpperCase()],
      ['Indirizzo', (parameters.Indirizzo ?? '').toUpperCase()],
      ['InoltroInProvincia', locality.km > 40 ? 'P' : ''],
      ['KmDistanzaSede', locality.km],
      ['Sede', locality.depot],
      ['Zona', locality.zone],
      ['TempoDiResa', locality.hours],
      ['LocalitaDisagiata', yes(locality.remote)],
      ['ZTL', yes(locality.limitedTraffic)],
      ['Express12', yes(quick)],
      ['IdentPIN', yes(!locality.remote)],
      ['LocalitaSaturdayExpress', yes(quick)],
      ['GiorniPercorso', locality.hours / 24],
      ['SaturdayExpressEffettuabile', quick ? 'Sì' : 'No'],
    ]),
  );
}

/** Correct: locality, province and postcode agree and the street does not contain INESISTENTE. Else candidates. */
function checkAddress(_books: Books, _login: Login, parameters: Fields): string {
  const { SiglaProvincia = '', Localita = '', Cap = '', Indirizzo = '' } = parameters;
  const named = localitiesNamed(Localita, SiglaProvincia);
  const exact = Cap === '' ? named : named.filter((locality) => hasCap(locality, Cap));
  const correct = exact.length > 0 && Indirizzo !== '' && !/INESISTENTE/i.test(Indirizzo);
  const shown = exact.length > 0 ? exact : named.length > 0 ? named : candidatesFor(Localita, SiglaProvincia);
  const outcome = leaves([['Esito', correct ? 'Destinazione corretta.' : 'Indirizzo non identificato.']]);
  return element('AddressList', outcome + shown.map((locality) => addressOf(locality, parameters)).join(''), {
    xmlns: ADDRESS_NAMESPACE,
  });
}

async function closeWorkDay(books: Books, login: Login, items: Fields[]): Promise<string> {
  const numbers = items.map(({ NumeroDiSpedizioneGLSDaConfermare: number = '' }) => number);
  const closed = numbers.filter((number) => books.close(login, number));
  const parcels = numbers.map((number) =>
    element(
      'Parcel',
      leaves([
        ['NumeroDiSpedizioneGLSDaConfermare', number],
        ['esito', closed.includes(number) ? 'OK' : 'Spedizione inesistente o precedentemente cancellata'],
      ]),
    ),
  );
  const shipments = closed.flatMap((number) => books.find(login, (known) => known.number === number) ?? []);
  const wantsList = items[0]?.withList === 'S' && shipments.length > 0;
  const list = wantsList ? element('DistintaPDF', (await pdfDistinta(shipments)).toString('base64')) : '';
  return element('CloseWorkDayByShipmentNumberResult', failure('OK') + parcels.join('') + list);
}

export const LABEL_METHODS: Readonly<Record<string, Method>> = {
  AddParcel: documented({ parameter: 'XMLInfoParcel', item: 'Parcel' }, addParcels),
  CloseWorkDayByShipmentNumber: documented({ parameter: '_xmlRequest', item: 'Parcel' }, closeWorkDay),
  ReleaseShipmentStock: documented(
    { parameter: 'XMLInfoReleaseShipmentStock', item: 'ReleaseShipmentStock' },
    (books, login, items) => element('Risultati', items.map((fields) => released(books, login, fields)).join('')),
  ),
  DeleteSped: flat((books, login, { NumSpedizione: number = '' }) => {
    const words = books.cancel(login, number)
      ? `Eliminazione della spedizione ${number} avvenuta.`
      : `Spedizione ${number} non presente.`;
    return failure(words);
  }),
  ListSped: flat((books, login) => listed(books.list(login))),
  ListSpedByStato: flat((books, login, { Stato = '' }) =>
    listed(books.list(login).filter((shipment) => Stato === '' || (shipment.closedAt !== null) === (Stato === '1'))),
  ),
  GetPdf: getLabel('pdf', false),
  GetZpl: getLabel('zpl', false),
  GetPdfBySped: getLabel('pdf', true),
  GetZplBySped: getLabel('zpl', true),
};

export const ADDRESS_METHODS: Readonly<Record<string, Method>> = { CheckAddress: flat(checkAddress) };
