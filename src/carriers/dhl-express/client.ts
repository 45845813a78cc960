import { dayAfter } from '../../lib/clock.ts';
import { IntegrationError } from '../../lib/errors.ts';
import { readEach, warnOf } from '../../lib/read-each.ts';
import type { BookedShipment, CarrierContext, FoundShipment, LabelFile, ShipmentDraft } from '../adapter.ts';
import { contentTypeOf } from '../labels.ts';
import { unclearAt } from '../refusals.ts';
import { composedText as plain } from '../text.ts';
import { filesOf, invoicesOf, unreadableFormats } from './labels.ts';
import { asksForInvoice, contentsOf, createBody } from './mapping.ts';
import { isNothingFound, notAsked, PROVIDER, refusalOf } from './refusals.ts';
import { type Account, CreatedShipment, DhlDocument, TrackedShipment, TrackingAnswer } from './schema.ts';
import { PAPERLESS } from './services.ts';
import { ask, call } from './wire.ts';

type Context = CarrierContext<Account>;

/** A shipment is planned for at most ten days ahead, and asked for while its order is young. */
const SEARCH_BACK_DAYS = 30;
const SEARCH_AHEAD_DAYS = 10;
/** DHL draws a label per parcel while we wait. */
const MS_PER_PARCEL = 500;

/** Books a shipment. DHL gives number and labels in one answer, and the shipment is transmitted by it. */
export async function createShipment(context: Context, draft: ShipmentDraft): Promise<BookedShipment> {
  const { account } = context;
  if (draft.options.includes(PAPERLESS) && !asksForInvoice(account, draft)) {
    throw notAsked(
      'paperless trade sends the invoice that DHL makes, so it needs a parcel for customs and customsInvoice in the account',
    );
  }
  const created = await call(
    context,
    {
      operation: 'createShipment',
      effect: 'write',
      method: 'POST',
      path: '/shipments',
      body: createBody(account, draft, context.now()),
      messageReference: draft.reference,
      promised: 201,
      timeoutMs: 30_000 + MS_PER_PARCEL * draft.parcels.length,
    },
    CreatedShipment,
  );
  const documents = readEach(DhlDocument, created.documents, warnOf(context.log, 'documents'));
  const labels = filesOf(documents, 'label');
  const number = created.shipmentTrackingNumber;
  const parcelCount = created.packages.length || draft.parcels.length;
  return {
    trackingNumber: number,
    carrierReference: number,
    parcelCount,
    labels,
    documents: asksForInvoice(account, draft) ? invoicesOf(documents) : [],
    warnings: [
      ...created.warnings.map((words) => `DHL: ${words}`),
      ...lossesOf(draft),
      ...countedOtherwise(draft, parcelCount),
      ...withoutLabel(labels, draft),
      ...tooManyLabels(labels, draft),
      ...unreadableFormats(documents).map((format) => `DHL sent a document in ${format}, which is neither PDF nor ZPL`),
      ...(documents.length < created.documents.length
        ? ['DHL sent a document that cannot be read: see the exchange of this shipment']
        : []),
    ],
  };
}

/** Lists the texts that DHL got shortened. */
function lossesOf(draft: ShipmentDraft): string[] {
  const isShortened = contentsOf(draft) !== plain(draft.contents);
  return isShortened ? [`The contents were shortened for DHL to "${contentsOf(draft)}"`] : [];
}

function countedOtherwise(draft: ShipmentDraft, parcelCount: number): string[] {
  return parcelCount === draft.parcels.length
    ? []
    : [`DHL counts ${parcelCount} parcels under this reference, ${draft.parcels.length} were sent`];
}

/** A shipment without a label is sold, and the files that came are kept. */
function withoutLabel(labels: readonly LabelFile[], { labelFormat }: ShipmentDraft): string[] {
  if (labels.length === 0) return ['DHL sold the shipment and sent no label: ask DHL for it'];
  const wanted = contentTypeOf(labelFormat);
  return labels.every(({ contentType }) => contentType === wanted) ? [] : ['DHL sent the label in another format'];
}

/** DHL was asked for one per parcel: one too many may be of a second shipment. */
function tooManyLabels(labels: readonly LabelFile[], { parcels }: ShipmentDraft): string[] {
  return labels.length > parcels.length
    ? [`DHL sent ${labels.length} labels for ${parcels.length} parcels: compare their numbers before printing`]
    : [];
}

/** Looks for our reference among the shipments of the account. DHL does not give a label out twice: see README. */
export async function findByReference(context: Context, draft: ShipmentDraft): Promise<FoundShipment | null> {
  const own = await search(context, draft.reference);
  const [first, ...others] = own;
  if (!first) return null;
  const parcelCount = own.reduce((sum, { numberOfPieces }) => sum + (numberOfPieces ?? draft.parcels.length), 0);
  const numbers = others.map(({ shipmentTrackingNumber }) => shipmentTrackingNumber);
  return {
    trackingNumber: first.shipmentTrackingNumber,
    carrierReference: first.shipmentTrackingNumber,
    parcelCount,
    labels: [],
    warnings: [
      `DHL has shipment ${first.shipmentTrackingNumber} but gives its label out only once, and that answer was lost: ask DHL for the label, or ship under a new order and leave this number unused`,
      ...(numbers.length > 0 ? [`DHL also has ${numbers.join(', ')} under this reference: leave them unused`] : []),
      ...countedOtherwise(draft, parcelCount),
    ],
    canBeTakenBack: false,
  };
}

/** Empty only when DHL says that it has none, or shows that what it has is of other references. */
async function search(context: Context, reference: string): Promise<TrackedShipment[]> {
  const { account } = context;
  refuseBlindTestEnvironment(account);
  const day = (days: number): string => dayAfter(context.now(), days, account.timeZone);
  const answer = await ask(
    context,
    {
      operation: 'findShipment',
      effect: 'read',
      method: 'GET',
      path: '/tracking',
      query: {
        shipmentReference: reference,
        shipmentReferenceType: 'CU',
        shipperAccountNumber: account.accountNumber,
        dateRangeFrom: day(-SEARCH_BACK_DAYS),
        dateRangeTo: day(SEARCH_AHEAD_DAYS),
        trackingView: 'shipment-details-only',
        levelOfDetail: 'shipment',
      },
    },
    TrackingAnswer,
  );
  if ('refusal' in answer) {
    if (isNothingFound(answer)) return [];
    throw refusalOf(answer);
  }
  const shipments = readEach(TrackedShipment, answer.value.shipments, () => {
    // It may be ours.
    throw new Error('The answer holds a shipment that cannot be read');
  });
  const hidden = shipments.find(({ shipperReferences }) => shipperReferences === null);
  if (hidden) {
    const number = hidden.shipmentTrackingNumber;
    throw unclearAt(PROVIDER, `shows shipment ${number} for ${reference} without its references`);
  }
  return shipments.filter(({ shipperReferences }) => shipperReferences?.some(({ value }) => value === reference));
}

/** DHL's test environment tracks a few fixed waybills and never what was created there, so its "no" proves nothing. */
function refuseBlindTestEnvironment({ baseUrl }: Account): void {
  const { hostname, pathname } = new URL(baseUrl);
  if (!hostname.endsWith('.dhl.com') || (!pathname.endsWith('/test') && !hostname.includes('mock'))) return;
  throw new IntegrationError(`The test environment of ${PROVIDER} cannot be searched for what was created in it`, {
    kind: 'permanent',
    provider: PROVIDER,
    code: 'not-supported',
  });
}
