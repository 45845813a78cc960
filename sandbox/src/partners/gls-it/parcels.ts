import { wallClock } from '../../clock.ts';
import type { Books, Login, ParcelOrder } from './books.ts';
import { pdfLabel, zplLabel } from './labels.ts';
import type { Shipment } from './shipment.ts';
import { element, type Fields, leaves } from './xml.ts';

const COLLECTION_MODES = new Set('CONT AC AB AP ASS ABP ASR ARM ABC ASRP ARMP'.split(' '));

/** A number with a decimal comma; undefined when the tag is missing, NaN when it is no such number. */
function comma(text: string | undefined): number | undefined {
  if (text === undefined || text === '') return undefined;
  return /^-?\d+(,\d+)?$/.test(text) ? Number(text.replace(',', '.')) : Number.NaN;
}

/** Returns the text that GLS would write into NoteSpedizione instead of a label. All sentences but the one about the Bda are ours. */
function faultOf(fields: Fields): string | null {
  const weight = comma(fields.PesoReale) ?? 0;
  const cod = comma(fields.ImportoContrassegno) ?? 0;
  const insured = comma(fields.Assicurazione) ?? 0;
  const mode = fields.ModalitaIncasso ?? '';
  if (!fields.RagioneSociale || !fields.Localita || !fields.Indirizzo)
    return 'Destinatario, indirizzo o localita mancante.';
  if (Number.isNaN(weight)) return 'Il peso indicato non e valido.';
  if (weight <= 0) return 'Il peso deve essere maggiore di zero.';
  if (weight > 2000) return 'Il peso supera i 2000 kg.';
  if (Number.isNaN(cod) || cod < 0) return 'Il contrassegno non puo essere negativo.';
  if (Number.isNaN(insured) || insured < 0) return "L'assicurazione non puo essere negativa.";
  if (mode !== '' && !COLLECTION_MODES.has(mode)) return 'Modalita di incasso non riconosciuta.';
  if (fields.RagioneSociale.length > 35 || fields.Indirizzo.length > 35) return 'Nome o indirizzo troppo lungo.';
  if ((fields.Localita ?? '').length > 30 || (fields.Bda ?? '').length > 11) return 'Localita o Bda troppo lunga.';
  return null;
}

function orderOf(login: Login, fields: Fields): ParcelOrder {
  const text = (name: string): string => fields[name] ?? '';
  return {
    ...login,
    contratto: text('CodiceContrattoGls'),
    name: text('RagioneSociale'),
    address: text('Indirizzo'),
    city: text('Localita'),
    zip: text('Zipcode'),
    province: text('Provincia'),
    freight: text('TipoPorto') || 'F',
    bda: text('Bda'),
    customerReference: text('RiferimentoCliente'),
    note: text('NoteSpedizione'),
    driverNote: text('NoteAggiuntive'),
    codCents: Math.round((comma(text('ImportoContrassegno')) ?? 0) * 100),
    parcel: {
      counter: text('ContatoreProgressivo'),
      weightKg: comma(text('PesoReale')) ?? 0,
      paper: text('FormatoPdf') === 'A5' ? 'A5' : 'A6',
    },
  };
}

/** Builds the InfoLabel document: one answer per parcel, in the order sent. Parcels above 99 are silently left out. */
export async function addParcels(books: Books, login: Login, parcels: readonly Fields[]): Promise<string> {
  const booked = parcels.map((fields) => {
    const outcome = faultOf(fields) ?? books.add(orderOf(login, fields));
    const place = outcome !== null && typeof outcome !== 'string' ? outcome.parcels.length : 0;
    return { fields, outcome, place };
  });
  const answers: string[] = [];
  for (const { fields, outcome, place } of booked) {
    if (typeof outcome === 'string') answers.push(element('Parcel', leaves([['NoteSpedizione', outcome]])));
    else if (outcome !== null) answers.push(await soldParcel(outcome, { place, fields, now: books.now() }));
  }
  return element('InfoLabel', answers.join(''));
}

async function soldParcel(
  shipment: Shipment,
  { place, fields, now }: { place: number; fields: Fields; now: Date },
): Promise<string> {
  const { route } = shipment;
  const kind = fields.GeneraPdf ?? '0';
  const [year = '', month = '', day = ''] = wallClock(now, 'Europe/Rome').date.split('-');
  const weight = shipment.parcels.reduce((sum, parcel) => sum + parcel.weightKg, 0);
  const cod = (shipment.codCents / 100).toFixed(2);
  const body = leaves([
    ['SiglaMittente', shipment.sede],
    ['NumeroSpedizione', shipment.number],
    ['TotaleColli', shipment.parcels.length],
    ['TipoCollo', fields.TipoCollo ?? 0],
    ['SiglaSedeDestino', route?.depot ?? ''],
    ['DenominazioneMittente', `CLIENTE ${shipment.cliente}`],
    ['DenominazioneDestinatario', shipment.name],
    ['IndirizzoDestinatario', shipment.address],
    ['CittaDestinatario', shipment.city],
    ['ProvinciaDestinatario', shipment.province],
    ['DataSpedizione', `${day}/${month}/${year.slice(2)}`],
    ['DescrizioneSedeDestino', route?.depotName ?? 'GLS Check'],
    ['PesoSpedizione', weight.toFixed(1)],
    ['ImportoCassegno', cod],
    ['TotaleImportodaIncassare', cod],
    ['NoteSpedizione', route ? shipment.note : 'Localita non presente nello stradario GLS.'],
    ['DescrizioneTipoPorto', 'Porto franco'],
    ['RapportoPesoVolume', '300'],
    ['ProgressivoCollo', place],
    ['CodiceZona', route?.zone ?? ''],
    ['RiferimentiCliente', shipment.customerReference],
    ['Bda', shipment.bda],
    ['ContatoreProgressivo', fields.ContatoreProgressivo ?? ''],
    ['PdfLabel', kind === '4' ? (await pdfLabel(shipment, place)).toString('base64') : ''],
    ['Zpl', kind === '6' ? Buffer.from(zplLabel(shipment, place)).toString('base64') : ''],
  ]);
  const withResult = fields.withResult === 'S';
  return element(
    'Parcel',
    body,
    withResult ? { Result: route ? 'Success' : 'Warning', WarningDescription: '', Code: '' } : {},
  );
}

/** Returns a kept label in base64; empty when there is none. */
export async function keptLabel(shipment: Shipment | undefined, place: number, kind: 'pdf' | 'zpl'): Promise<string> {
  if (!shipment || place < 1 || place > shipment.parcels.length) return '';
  const bytes = kind === 'pdf' ? await pdfLabel(shipment, place) : Buffer.from(zplLabel(shipment, place));
  return bytes.toString('base64');
}
