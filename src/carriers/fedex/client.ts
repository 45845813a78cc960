import { IntegrationError } from '../../lib/errors.ts';
import { readEach, warnOf } from '../../lib/read-each.ts';
import type { BookedShipment, CarrierContext, LabelFile, ShipmentDraft, ShipmentHandle } from '../adapter.ts';
import { numbersOf } from '../parcels.ts';
import { latin1Text as plain } from '../text.ts';
import { asksForInvoice } from './customs.ts';
import { invoicesOf, labelsOf } from './labels.ts';
import { contentsOf, shipBody } from './mapping.ts';
import { ALREADY_CANCELLED, PROVIDER, refusalOf, wordsOf } from './refusals.ts';
import { type Account, CancelAnswer, FedexError, ShipAnswer } from './schema.ts';
import { trackNumbers } from './tracking.ts';
import { isCancelled } from './tracking-codes.ts';
import { ask, call } from './wire.ts';

type Context = CarrierContext<Account>;

/** FedEx draws a label per parcel while we wait. */
const MS_PER_PARCEL = 500;

/** Books with one write, whose answer has the number and the labels of all parcels. */
export async function createShipment(context: Context, draft: ShipmentDraft): Promise<BookedShipment> {
  const { output } = await call(
    context,
    {
      operation: 'ship',
      effect: 'write',
      method: 'POST',
      path: '/ship/v1/shipments',
      body: shipBody(context.account, draft, context.now()),
      timeoutMs: 30_000 + MS_PER_PARCEL * draft.parcels.length,
    },
    ShipAnswer,
  );
  const [sold] = output.transactionShipments;
  const { masterTrackingNumber, pieceResponses: pieces, shipmentDocuments } = sold;
  const labels = labelsOf(context, pieces, draft.labelFormat);
  const invoices = asksForInvoice(draft) ? invoicesOf(context, shipmentDocuments) : [];
  const alerts = readEach(FedexError, [...output.alerts, ...sold.alerts], warnOf(context.log, 'alerts'));
  return {
    trackingNumber: masterTrackingNumber,
    carrierReference: masterTrackingNumber,
    parcelCount: pieces.length || draft.parcels.length,
    labels,
    documents: invoices,
    warnings: [...saidOf(alerts), ...ownWarnings(draft, { labels, invoices })],
  };
}

/** Kinds of alerts are no help: FedEx calls an address that it corrected a note. */
function saidOf(alerts: readonly FedexError[]): string[] {
  return [...new Set(alerts.map((alert) => `${PROVIDER}: ${wordsOf([alert])}`))];
}

function ownWarnings(
  draft: ShipmentDraft,
  files: { labels: readonly LabelFile[]; invoices: readonly LabelFile[] },
): string[] {
  const { contents } = draft;
  const warnings: string[] = [];
  const warn = (isSo: boolean, warning: string): void => void (isSo && warnings.push(warning));
  warn(contentsOf(draft) !== plain(contents), `The contents were shortened for FedEx to "${contentsOf(draft)}"`);
  warn(
    files.labels.length === 0,
    'FedEx sold the shipment without a label for every parcel, and gives none out later: cancel it and create it again',
  );
  warn(
    asksForInvoice(draft) && files.invoices.length === 0,
    'The invoice for customs did not come with the label: put in one of your own',
  );
  return warnings;
}

/** Cancels every shipment that the handle stands for; one that is cancelled already counts as done. */
export async function cancelShipment(context: Context, shipment: ShipmentHandle): Promise<void> {
  const numbers = numbersOf(shipment);
  for (const number of numbers) await cancelOne(context, number);
}

async function cancelOne(context: Context, trackingNumber: string): Promise<void> {
  const { accountNumber, countryCode } = context.account;
  const body = {
    accountNumber: { value: accountNumber },
    senderCountryCode: countryCode,
    deletionControl: 'DELETE_ALL_PACKAGES',
    trackingNumber,
  };
  const question = {
    operation: 'cancel',
    effect: 'write',
    method: 'PUT',
    path: '/ship/v1/shipments/cancel',
    body,
  } as const;
  const answer = await ask(context, question, CancelAnswer).catch(async (error: unknown) => {
    // An answer came that is none of FedEx's: tracking knows what became of the shipment.
    if (!(error instanceof IntegrationError) && (await isCancelledByNow(context, trackingNumber))) return null;
    throw error;
  });
  if (answer === null) return;
  const isCancelledBefore = (said: readonly FedexError[]) => said.some(({ code }) => code === ALREADY_CANCELLED);
  if ('refusal' in answer) {
    if (isCancelledBefore(answer.refusal)) return;
    throw refusalOf(answer);
  }
  const { cancelledShipment, message, alerts: raws } = answer.value.output;
  const alerts = readEach(FedexError, raws, warnOf(context.log, 'alerts'));
  if (cancelledShipment || isCancelledBefore(alerts)) return;
  throw refusalOf({ refusal: [...alerts, { code: '', message: message || 'Not cancelled' }], status: 200 }, true);
}

/** False also when it cannot be known now. */
async function isCancelledByNow(context: Context, trackingNumber: string): Promise<boolean> {
  const tracked = await trackNumbers(context, [{ trackingNumber }]).catch(() => null);
  const own = (tracked?.results ?? []).filter(({ number }) => number === trackingNumber);
  // Among several parcels that had the number, the newest is not told here.
  return own.length === 1 && own.every(({ latestStatusDetail }) => isCancelled(latestStatusDetail));
}
