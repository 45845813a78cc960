import { IntegrationError } from '../../lib/errors.ts';
import type {
  AddressCheck,
  AddressQuestion,
  BookedShipment,
  CarrierContext,
  FoundShipment,
  LabelFile,
  ReleaseRequest,
  ReleaseResult,
  ShipmentDraft,
  ShipmentHandle,
  TrackingReport,
  TransmitResult,
} from '../contract.ts';
import { fetchLabel, fetchLabels, labelOf, manifestOf } from './labels.ts';
import { addParcelXml, closeXml, releaseXml, servicesOf } from './mapping.ts';
import { type Account, FoundAddress, LabelledParcel, ListedShipment } from './schema.ts';
import { MAX_SERVICES } from './services.ts';
import { readTracking } from './tracking.ts';
import { callAddressService, callLabelService, callTracking, flatCredentials, PROVIDER, refusal } from './wire.ts';
import { childOf, fieldsOf, findAll, type XmlNode } from './xml.ts';

type Context = CarrierContext<Account>;

/** The manual's name of this parameter was not found: a limit, see README. */
const RELEASE_PARAMETER = 'XMLRequest';
const CLOSE_BATCH = 500;
const ERROR_NUMBER = '999999999';
const REFERENCE_USED = /^La Bda specificata .* utilizzata in precedenza/;
const CLOSED = /^CHIUSA\b/i;

export async function createShipment(context: Context, draft: ShipmentDraft): Promise<BookedShipment> {
  if (servicesOf(context.account, draft).length > MAX_SERVICES)
    throw refusedParcels([`more than ${MAX_SERVICES} extra services`]);
  const answer = await callLabelService(context, {
    method: 'AddParcel',
    effect: 'write',
    form: { XMLInfoParcel: addParcelXml(context.account, draft) },
    timeoutMs: 30_000 + 1_000 * draft.parcels.length,
  });
  const parcels = findAll(answer, ({ name }) => name === 'Parcel').map((node) => readLabelledParcel(node));
  if (parcels.length === 0) throw new Error('AddParcel answered without a parcel');

  const sold = parcels.filter(({ NumeroSpedizione }) => isNumber(NumeroSpedizione));
  const refused = parcels
    .filter(({ NumeroSpedizione }) => !isNumber(NumeroSpedizione))
    .map((parcel) => parcel.NoteSpedizione);
  const [first] = sold;
  if (first) return booked(context, draft, { first, sold, refused });
  if (refused.every((words) => words === '')) throw new Error('AddParcel answered neither a number nor a reason');
  if (refused.some((words) => REFERENCE_USED.test(words))) {
    const known = await findByReference(context, draft);
    if (known) return known;
  }
  throw refusedParcels(refused);
}

/** What hides in the note of an almost empty parcel is about the data, so trying again does not help. */
function refusedParcels(refused: readonly string[]): IntegrationError {
  const words = [...new Set(refused)].filter((reason) => reason !== '').join('; ');
  return new IntegrationError(`${PROVIDER} refused: ${words}`, {
    kind: 'permanent',
    provider: PROVIDER,
    code: 'refused',
    body: words,
    isAuthoritative: true,
  });
}

function readLabelledParcel(node: XmlNode): LabelledParcel {
  return LabelledParcel.parse({ ...node.attributes, ...fieldsOf(node) });
}

function isNumber(number: string): boolean {
  return number.length === 9 && number !== ERROR_NUMBER;
}

async function booked(
  context: Context,
  draft: ShipmentDraft,
  { first, sold, refused }: { first: LabelledParcel; sold: LabelledParcel[]; refused: string[] },
): Promise<BookedShipment> {
  const number = first.NumeroSpedizione;
  const parcelCount = Math.max(sold.length, ...sold.flatMap((parcel) => [parcel.TotaleColli, parcel.ProgressivoCollo]));
  const inline = sold.map(labelOf).filter((label) => label !== null);
  const labels = inline.length === sold.length ? inline : await fetchLabels(context, draft, number);
  return {
    trackingNumber: `${first.SiglaMittente || context.account.sedeGls}${number}`,
    carrierReference: number,
    parcelCount,
    labels,
    warnings: [
      ...new Set([
        ...sold.filter(isUnroutable).map((parcel) => `GLS Check: ${parcel.NoteSpedizione}`),
        ...sold.map((parcel) => parcel.WarningDescription).filter((words) => words !== ''),
        ...refused.map((words) => `GLS left a parcel out: ${words}`),
        ...missingOf(draft.parcels.length - sold.length - refused.length),
        ...countedOtherwise(draft, parcelCount),
        ...otherNumbers(sold.map((parcel) => parcel.NumeroSpedizione)),
        ...withoutLabel(labels, sold.length),
      ]),
    ],
  };
}

/** The number stays valid: the destination depot corrects the address. */
function isUnroutable(parcel: LabelledParcel): boolean {
  return parcel.SiglaSedeDestino.trim() === '' && /gls check/i.test(parcel.DescrizioneSedeDestino);
}

function missingOf(count: number): string[] {
  return count > 0 ? [`GLS did not answer for ${count} of the parcels`] : [];
}

function countedOtherwise(draft: ShipmentDraft, parcelCount: number): string[] {
  return parcelCount !== draft.parcels.length
    ? [`GLS counts ${parcelCount} parcels in this shipment, ${draft.parcels.length} were sent`]
    : [];
}

function otherNumbers(numbers: readonly string[]): string[] {
  const [, ...others] = new Set(numbers);
  return others.length > 0 ? [`GLS also gave the numbers ${others.join(', ')} for this shipment`] : [];
}

function withoutLabel(labels: readonly LabelFile[], wanted: number): string[] {
  return labels.length < wanted ? [`GLS returned ${labels.length} of ${wanted} labels`] : [];
}

async function listShipments(context: Context): Promise<ListedShipment[]> {
  const form = flatCredentials(context.account);
  const answer = await callLabelService(context, { method: 'ListSped', effect: 'read', form });
  const items = findAll(answer, (node) => childOf(node, 'NumSpedizione') !== undefined);
  // An error text in a shape we do not know must not pass for "no shipments": that would sell a second label.
  const says = findAll(answer, ({ name, text }) => text !== '' && name !== 'DescrizioneErrore');
  if (items.length === 0 && says.length > 0) {
    throw new Error('ListSped answered something that is not a list');
  }
  return items.map((node) => ListedShipment.parse(fieldsOf(node)));
}

/** The list shows routed shipments only; one that waits at "GLS Check" is recognised by its label instead. */
export async function findByReference(context: Context, draft: ShipmentDraft): Promise<FoundShipment | null> {
  const matches = (await listShipments(context)).filter((item) => carriesReference(item, draft.reference));
  const [first] = matches;
  if (!first) return findUnlisted(context, draft);
  const parcelCount = matches.reduce((sum, item) => sum + item.TotaleColli, 0);
  const labels = await fetchLabels(context, draft, first.NumSpedizione);
  return {
    trackingNumber: `${context.account.sedeGls}${first.NumSpedizione}`,
    carrierReference: first.NumSpedizione,
    parcelCount,
    labels,
    warnings: [
      ...countedOtherwise(draft, parcelCount),
      ...otherNumbers(matches.map((item) => item.NumSpedizione)),
      ...withoutLabel(labels, draft.parcels.length),
    ],
    canBeTakenBack: !CLOSED.test(first.StatoSpedizione),
  };
}

function carriesReference(item: ListedShipment, reference: string): boolean {
  return item.Ddt.trim() === reference || item.RiferimentiCliente.split(/[^A-Za-z0-9]+/).includes(reference);
}

/** Null only when GLS has no label for the first parcel either: a shipment without a route is missing from the list. */
async function findUnlisted(context: Context, draft: ShipmentDraft): Promise<FoundShipment | null> {
  if ((await fetchLabel(context, draft, 1)) === null) return null;
  const { sedeGls, codiceContrattoGls } = context.account;
  const document = await callTracking(context, {
    locpartenza: sedeGls,
    bda: draft.reference,
    CodCli: codiceContrattoGls,
  });
  const [shipment] = findAll(document, ({ name }) => name === 'SPEDIZIONE');
  const { NumSped = '', NumeroColli = '' } = shipment ? fieldsOf(shipment) : {};
  const number = NumSped.replace(/\D/g, '').slice(-9);
  if (!isNumber(number)) {
    throw new IntegrationError(`${PROVIDER} has a label for ${draft.reference} but shows no shipment number`, {
      kind: 'unknown-outcome',
      provider: PROVIDER,
      code: 'shipment-unlisted',
    });
  }
  const parcelCount = Number(NumeroColli) || draft.parcels.length;
  return {
    trackingNumber: `${sedeGls}${number}`,
    carrierReference: number,
    parcelCount,
    labels: await fetchLabels(context, draft, number),
    warnings: ['GLS Check: the destination is not routed yet', ...countedOtherwise(draft, parcelCount)],
    canBeTakenBack: true,
  };
}

/** Closing is idempotent here: what GLS no longer accepts is looked up, and a closed shipment is a success. */
export async function transmitShipments(context: Context, shipments: ShipmentHandle[]): Promise<TransmitResult[]> {
  const outcomes = new Map<string, string>();
  const manifests = new Map<string, LabelFile>();
  for (let start = 0; start < shipments.length; start += CLOSE_BATCH) {
    const numbers = shipments.slice(start, start + CLOSE_BATCH).map((shipment) => shipment.carrierReference);
    const answer = await callLabelService(context, {
      method: 'CloseWorkDayByShipmentNumber',
      effect: 'write',
      form: { _xmlRequest: closeXml(context.account, numbers) },
    });
    const manifest = manifestOf(answer);
    for (const number of manifest ? numbers : []) manifests.set(number, manifest as LabelFile);
    for (const [number, words] of readCloseAnswer(answer, numbers)) outcomes.set(number, words);
  }
  const doubtful = shipments.some((shipment) => outcomes.get(shipment.carrierReference) !== 'OK');
  const listed = doubtful ? await listShipments(context) : [];
  const closed = new Set(listed.filter((item) => CLOSED.test(item.StatoSpedizione)).map((item) => item.NumSpedizione));
  return shipments.map(({ reference, carrierReference }) => {
    const said = outcomes.get(carrierReference) ?? '';
    const words = said === '' ? 'GLS did not answer for this shipment' : said;
    const ok = words === 'OK' || closed.has(carrierReference);
    const outcome = ok ? 'succeeded' : said === '' ? 'unknown' : 'failed';
    // What was closed before is on the list of that time.
    const isListed = ok && (words === 'OK' || !outcomes.has(carrierReference));
    const manifest = isListed ? manifests.get(carrierReference) : undefined;
    return { reference, outcome, message: ok ? '' : words, ...(manifest ? { manifest } : {}) };
  });
}

/** The outcome of each number: by the number that GLS repeats, else by its place when the answer is complete. */
function readCloseAnswer(answer: XmlNode, numbers: readonly string[]): Map<string, string> {
  const items = findAll(answer, (node) => childOf(node, 'esito') !== undefined);
  // In the shape of CloseWorkDay, which has the list: what was closed is looked up.
  if (items.length === 0 && findAll(answer, ({ name }) => name === 'InfoErrore' || name === 'DistintaPDF').length > 0) {
    return new Map();
  }
  if (items.length === 0) throw new Error('The close answer names no shipment');
  const outcomes = new Map<string, string>();
  items.forEach((item, index) => {
    const values = item.children.map((child) => child.text.replace(/\D/g, '').slice(-9));
    const number =
      values.find((value) => numbers.includes(value)) ?? (items.length === numbers.length ? numbers[index] : undefined);
    if (number !== undefined) outcomes.set(number, childOf(item, 'esito')?.text ?? '');
  });
  return outcomes;
}

export async function cancelShipment(context: Context, shipment: ShipmentHandle): Promise<void> {
  const answer = await callLabelService(context, {
    method: 'DeleteSped',
    effect: 'write',
    form: { ...flatCredentials(context.account), NumSpedizione: shipment.carrierReference },
  });
  const words = findAll(answer, ({ text }) => text !== '')
    .map((node) => node.text)
    .join(' ');
  if (/\bavvenuta\b|non presente/i.test(words)) return;
  if (words === '') throw new Error('DeleteSped answered nothing');
  throw refusal(words);
}

export async function checkAddress(context: Context, question: AddressQuestion): Promise<AddressCheck> {
  const answer = await callAddressService(context, {
    method: 'CheckAddress',
    effect: 'read',
    form: {
      ...flatCredentials(context.account),
      SiglaProvincia: question.province,
      Cap: question.zip,
      Localita: question.city,
      Indirizzo: question.address,
    },
  });
  const message = findAll(answer, ({ name }) => name === 'Esito')[0]?.text;
  if (message === undefined) throw new Error('CheckAddress answered without an outcome');
  const addresses = findAll(answer, ({ name }) => name === 'Address').map((node) => FoundAddress.parse(fieldsOf(node)));
  if (addresses.length > 1) return { status: 'ambiguous', message, addresses };
  return { status: message.startsWith('Destinazione corretta') ? 'ok' : 'not_found', message, addresses };
}

export async function track(context: Context, shipment: ShipmentHandle): Promise<TrackingReport> {
  const { trackingNumber, carrierReference } = shipment;
  const depot = trackingNumber.slice(0, -carrierReference.length) || context.account.sedeGls;
  const query = { locpartenza: depot, NumSped: carrierReference, CodCli: context.account.codiceContrattoGls };
  return readTracking(await callTracking(context, query));
}

export async function releaseHeld(context: Context, request: ReleaseRequest): Promise<ReleaseResult> {
  const answer = await callLabelService(context, {
    method: 'ReleaseShipmentStock',
    effect: 'write',
    form: { [RELEASE_PARAMETER]: releaseXml(context.account, request) },
  });
  const [outcome] = findAll(answer, ({ name }) => name === 'Svincolo');
  if (!outcome) throw new Error('ReleaseShipmentStock answered no outcome');
  const message = outcome.text;
  const raw = { Numero: request.shipment.trackingNumber, Svincolo: message };
  return { ok: /^ok\b/i.test(message), message, raw };
}

/** The list of shipments is a read that only valid credentials get. */
export async function verifyAccount(context: Context): Promise<void> {
  await listShipments(context);
}
