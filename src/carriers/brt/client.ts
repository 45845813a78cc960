import type { IntegrationError } from '../../lib/errors.ts';
import type {
  AddressCheck,
  AddressQuestion,
  BookedShipment,
  CarrierContext,
  CheckedAddress,
  ShipmentDraft,
  ShipmentHandle,
  TransmitResult,
} from '../adapter.ts';
import { NOTHING_SAID } from '../adapter.ts';
import { shorten } from '../text.ts';
import { ALREADY_CONFIRMED, failureOf, NEVER_CREATED, SEVERAL, UNROUTABLE, wordsOf, worstOf } from './codes.ts';
import { labelsOf } from './labels.ts';
import { MAX_ADDRESS } from './limits.ts';
import {
  createBody,
  credentials,
  type Fields,
  lossesOf,
  markedReference,
  numericReferenceOf,
  senderFields,
  withoutEmpty,
} from './mapping.ts';
import { type Answer, callShipments, refuseBad } from './rest.ts';
import { type Account, CreateResponse, type ExecutionMessage, RoutingResponse } from './schema.ts';
import { brtText } from './text.ts';

type Context = CarrierContext<Account>;

/** BRT prints a label per parcel while we wait. */
const MS_PER_PARCEL = 1_000;
/** Confirmations under way at the same time: BRT has no call for many. */
const CONFIRM_LANES = 5;
const ADDRESS_NORMALISED = 4;

export async function createShipment(context: Context, draft: ShipmentDraft): Promise<BookedShipment> {
  const { account } = context;
  const now = context.now();
  const answer = await callShipments(context, {
    operation: 'create',
    body: createBody(account, draft, now),
    timeoutMs: 30_000 + MS_PER_PARCEL * draft.parcels.length,
  });
  refuseBad(answer);
  const created = CreateResponse.parse(answer.root);
  const trackingNumber = created.labels[0]?.trackingByParcelID ?? '';
  if (trackingNumber === '') throw new Error('BRT created a shipment and gave no parcel id');
  const labels = labelsOf(created, draft.labelFormat);
  const parcelCount = Math.max(created.numberOfParcels, created.labels.length);
  return {
    trackingNumber,
    carrierReference: created.alphanumericSenderReference || markedReference(draft.reference, now),
    parcelCount,
    labels,
    warnings: [
      ...answer.messages.filter(({ code }) => code > 0).map((message) => warningOf(message, created)),
      ...lossesOf(draft),
      ...(parcelCount === draft.parcels.length
        ? []
        : [`BRT counts ${parcelCount} parcels in this shipment, ${draft.parcels.length} were sent`]),
      ...(labels.length < parcelCount ? [`BRT returned ${labels.length} of ${parcelCount} labels`] : []),
    ],
  };
}

function warningOf(message: ExecutionMessage, created: CreateResponse): string {
  const { consigneeZIPCode, consigneeCity, consigneeProvinceAbbreviation } = created;
  const place = [consigneeZIPCode, consigneeCity, consigneeProvinceAbbreviation]
    .filter((part) => part !== '')
    .join(' ');
  const shown = message.code === ADDRESS_NORMALISED && place !== '' ? ` (now ${place})` : '';
  return `BRT: ${wordsOf(message) || `warning ${message.code}`}${shown}`;
}

/** How confirm and delete name a shipment; without the second reference when it came from elsewhere. */
function referencesOf({ account }: Context, { reference, carrierReference }: ShipmentHandle): Fields {
  return withoutEmpty({
    senderCustomerCode: Number(account.senderCustomerCode),
    numericSenderReference: numericReferenceOf(reference),
    alphanumericSenderReference: carrierReference,
  });
}

/** Confirms with one call per shipment, a few at a time. An account that BRT confirms by itself needs no call. */
export async function transmitShipments(context: Context, shipments: ShipmentHandle[]): Promise<TransmitResult[]> {
  if (context.account.confirmation === 'automatic') {
    return shipments.map(({ reference }) => ({ reference, outcome: 'succeeded', message: '' }));
  }
  const said = new Map<string, Refusal | null>();
  const waiting = [...shipments];
  const lane = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      said.set(next.reference, await confirm(context, next));
    }
  };
  // An error ends its lane. When BRT is unwell or refuses the account, all lanes end.
  const lanes = await Promise.allSettled(Array.from({ length: CONFIRM_LANES }, lane));
  for (const end of lanes) if (end.status === 'rejected') throw end.reason;
  // Confirming twice succeeds twice: when one is not settled the whole batch is tried again.
  const unsettled = [...said.values()].find((refusal) => refusal !== null && refusal.failure.kind !== 'permanent');
  if (unsettled) throw unsettled.failure;
  return shipments.map(({ reference }) => {
    const refusal = said.get(reference);
    const message = refusal?.failure.message ?? '';
    const outcome = refusal === null ? 'succeeded' : refusal?.failure.isAuthoritative ? 'failed' : 'unknown';
    return { reference, outcome, message, ...(refusal?.code === SEVERAL ? { hasSurplus: true } : {}) };
  });
}

interface Refusal {
  /** BRT's own code. */
  code: number;
  failure: IntegrationError;
}

/** Null: BRT has it. What is wrong with the account is thrown, what is wrong with the shipment returned. */
async function confirm(context: Context, shipment: ShipmentHandle): Promise<Refusal | null> {
  const answer = await callShipments(context, {
    operation: 'confirm',
    body: { account: credentials(context.account), confirmData: referencesOf(context, shipment) },
  });
  const worst = worstOf(answer.messages);
  if (!worst || worst.code >= 0 || worst.code === ALREADY_CONFIRMED) return null;
  const failure = failureOf(worst, 'confirm');
  if (failure.code === 'credentials-refused') throw failure;
  return { code: worst.code, failure };
}

/** Deletes a shipment. One that BRT never had, or has deleted, counts as deleted. */
export async function cancelShipment(context: Context, shipment: ShipmentHandle): Promise<void> {
  await remove(context, referencesOf(context, shipment));
}

/**
 * Deletes under our reference. Whether the look-up shows an unconfirmed shipment was not found: only a deletion proves
 * its end.
 */
export async function withdrawByReference(context: Context, { reference }: ShipmentDraft): Promise<void> {
  await remove(context, referencesOf(context, { reference, trackingNumber: '', carrierReference: '' }));
}

async function remove(context: Context, deleteData: Fields): Promise<void> {
  const answer = await callShipments(context, {
    operation: 'delete',
    body: { account: credentials(context.account), deleteData },
  });
  if (worstOf(answer.messages)?.code === NEVER_CREATED) return;
  refuseBad(answer);
}

interface Destination {
  address: string;
  zip: string;
  city: string;
  province: string;
}

/** How BRT would route one parcel of one kilogram. Nothing is booked by asking. */
async function route(context: Context, to: Destination): Promise<Answer> {
  const { account } = context;
  const routingData = withoutEmpty({
    network: account.network ?? '',
    ...senderFields(account),
    deliveryFreightTypeCode: account.deliveryFreightTypeCode,
    consigneeCompanyName: 'VERIFICA INDIRIZZO',
    consigneeAddress: shorten(brtText(to.address), MAX_ADDRESS),
    consigneeZIPCode: to.zip.trim(),
    consigneeCity: brtText(to.city),
    consigneeProvinceAbbreviation: to.province.trim().toUpperCase(),
    consigneeCountryAbbreviationISOAlpha2: 'IT',
    pricingConditionCode: account.pricingConditionCode === undefined ? '' : Number(account.pricingConditionCode),
    numberOfParcels: 1,
    weightKG: 1,
  });
  const body = { account: credentials(account), routingData };
  return callShipments(context, { operation: 'routing', body });
}

export async function checkAddress(context: Context, question: AddressQuestion): Promise<AddressCheck> {
  const answer = await route(context, question);
  const worst = worstOf(answer.messages);
  const message = worst ? wordsOf(worst) : '';
  if (worst?.code === UNROUTABLE) return { status: 'not_found', message, addresses: [] };
  refuseBad(answer);
  const found = RoutingResponse.parse(answer.root);
  const address: CheckedAddress = {
    ...NOTHING_SAID,
    SiglaProvincia: found.consigneeProvinceAbbreviation,
    Cap: found.consigneeZIPCode,
    Comune: found.consigneeCity,
    Sede: found.arrivalDepot,
    Zona: found.deliveryZone,
  };
  // BRT writes its changes (code 4) into the address, and delivers there.
  return { status: 'ok', message: answer.messages.map(wordsOf).join('; '), addresses: [address] };
}

/** Asks for a route, a read that only valid credentials get. A place without a route says nothing of them. */
export async function verifyAccount(context: Context): Promise<void> {
  const answer = await route(context, { address: 'PIAZZA DEL DUOMO 1', zip: '20122', city: 'MILANO', province: 'MI' });
  if (worstOf(answer.messages)?.code !== UNROUTABLE) refuseBad(answer);
}
