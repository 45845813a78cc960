import { IntegrationError } from '../../lib/errors.ts';
import type {
  AddressCheck,
  AddressQuestion,
  BookedShipment,
  CarrierContext,
  ShipmentDraft,
  ShipmentHandle,
  TrackingReport,
} from '../adapter.ts';
import { findByReference } from './find.ts';
import { fetchLabels, labelOf } from './labels.ts';
import { addParcelXml, lossesOf, servicesOf } from './mapping.ts';
import { isNumber } from './numbers.ts';
import { type Account, FoundAddress, LabelledParcel } from './schema.ts';
import { MAX_SERVICES } from './services.ts';
import { readTracking } from './tracking.ts';
import { countedOtherwise, otherNumbers, withoutLabel } from './warnings.ts';
import {
  callAddressService,
  callLabelService,
  callTracking,
  errorFieldOf,
  flatCredentials,
  isTransient,
  PROVIDER,
  refusal,
} from './wire.ts';
import { fieldsOf, findAll, type XmlNode } from './xml.ts';

type Context = CarrierContext<Account>;

/** Base64 of one label; some 100 KB are usual. */
const MAX_LABEL_BYTES = 256 * 1024;
const REFERENCE_USED = /^La Bda specificata .* utilizzata in precedenza/;

export async function createShipment(context: Context, draft: ShipmentDraft): Promise<BookedShipment> {
  if (servicesOf(context.account, draft).length > MAX_SERVICES)
    throw refusedParcels([`more than ${MAX_SERVICES} extra services`]);
  const answer = await callLabelService(context, {
    method: 'AddParcel',
    effect: 'write',
    form: { XMLInfoParcel: addParcelXml(context.account, draft) },
    timeoutMs: 30_000 + 1_000 * draft.parcels.length,
    maxBytes: 1024 * 1024 + MAX_LABEL_BYTES * draft.parcels.length,
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
    // It has or had the reference: a lost booking may be what used it.
    throw new IntegrationError(
      `${PROVIDER} says that ${draft.reference} was used before, and shows no shipment of it`,
      {
        kind: 'unknown-outcome',
        provider: PROVIDER,
        code: 'shipment-unlisted',
      },
    );
  }
  const outage = refused.find(isTransient);
  throw outage === undefined ? refusedParcels(refused) : refusal(outage);
}

/** The note of an almost empty parcel is about the data, so trying again does not help. */
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
        ...lossesOf(draft),
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

/** Done, or nothing there: the two sentences of the label manual, about this very number. */
const DELETED = /^(?:Eliminazione della spedizione (\w+) avvenuta|Spedizione (\w+) non presente)\.?$/i;

export async function cancelShipment(context: Context, shipment: ShipmentHandle): Promise<void> {
  const answer = await callLabelService(context, {
    method: 'DeleteSped',
    effect: 'write',
    form: { ...flatCredentials(context.account), NumSpedizione: shipment.carrierReference },
    answersInErrorField: true,
  });
  const words = errorFieldOf(answer) || (answer.name === 'string' ? answer.text : '');
  const [sentence, done = '', absent = ''] = DELETED.exec(words) ?? [];
  if (sentence !== undefined && `${done}${absent}`.endsWith(shipment.carrierReference)) return;
  // Neither silence nor the deletion of another shipment says anything of this one.
  if (sentence !== undefined || !/\bspedizione\b/i.test(words)) throw new Error('DeleteSped answered no outcome');
  throw refusal(words, { isOfShipment: true });
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
  return readTracking(context, await callTracking(context, query));
}
