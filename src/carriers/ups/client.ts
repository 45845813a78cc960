import { isDeclarable } from '../../domain/customs-territory.ts';
import { IntegrationError } from '../../lib/errors.ts';
import { readEach, warnOf } from '../../lib/read-each.ts';
import type { BookedShipment, CarrierContext, LabelFile, ShipmentDraft, ShipmentHandle } from '../adapter.ts';
import { labelFrom } from '../labels.ts';
import { numbersOf } from '../parcels.ts';
import { latin1Text as plain } from '../text.ts';
import { accessPointOf } from './access-points.ts';
import { asksForInvoice } from './customs.ts';
import { fetchLabels, labelsOf, recover } from './labels.ts';
import { contentsOf, shipBody } from './mapping.ts';
import { ALREADY_VOIDED, refusalOf, SHIPMENT_VOIDED } from './refusals.ts';
import { type Account, Alert, ShipAnswer, SoldPackage, VoidAnswer } from './schema.ts';
import { ask, call } from './wire.ts';

type Context = CarrierContext<Account>;

/** UPS draws a label per parcel while we wait. */
const MS_PER_PARCEL = 500;
const NO_LABEL = 'UPS sold the shipment, but gave no label yet: it is asked for again';

/** Books with one write. The Access Point is looked up before it, and a PDF of the labels is asked for after it. */
export async function createShipment(context: Context, draft: ShipmentDraft): Promise<BookedShipment> {
  const { account } = context;
  const { pickupPointId } = draft;
  const point = pickupPointId === null ? null : await accessPointOf(context, draft.recipient, pickupPointId);
  const { ShipmentResponse: answer } = await call(
    context,
    {
      operation: 'ship',
      effect: 'write',
      method: 'POST',
      path: '/shipments/v2409/ship',
      body: shipBody(account, draft, { point, now: context.now() }),
      timeoutMs: 30_000 + MS_PER_PARCEL * draft.parcels.length,
    },
    ShipAnswer,
  );
  const { ShipmentIdentificationNumber: number, PackageResults: raws, Form } = answer.ShipmentResults;
  const packages = readEach(SoldPackage, raws, warnOf(context.log, 'sold packages'));
  const images = packages.map(({ ShippingLabel }) => ShippingLabel?.GraphicImage ?? '');
  const labels =
    draft.labelFormat === 'zpl'
      ? labelsOf(images, { format: 'zpl', count: raws.length })
      : await labelsAfter(context, draft, number);
  const invoice = labelFrom(Buffer.from(Form?.Image?.GraphicImage ?? '', 'base64'));
  return {
    trackingNumber: number,
    carrierReference: number,
    parcelCount: raws.length || draft.parcels.length,
    labels,
    documents: invoice && asksForInvoice(draft) ? [{ ...invoice, kind: 'customs_invoice' }] : [],
    warnings: [
      ...readEach(Alert, answer.Response.Alert, warnOf(context.log, 'alerts')).map(
        ({ Code, Description }) => `UPS: ${Description} [${Code}]`,
      ),
      ...(contentsOf(draft) === plain(draft.contents)
        ? []
        : [`The contents were shortened for UPS to "${contentsOf(draft)}"`]),
      ...(labels.length > 0 ? [] : [NO_LABEL]),
      ...invoiceWarnings(draft, invoice !== null),
    ],
  };
}

/** The number must not be lost for want of a label: whatever goes wrong here, the shipment is sold. */
async function labelsAfter(context: Context, draft: ShipmentDraft, number: string): Promise<LabelFile[]> {
  const { reference } = draft;
  try {
    return await fetchLabels(context, draft, { reference, trackingNumber: number, carrierReference: number });
  } catch (err) {
    context.log.warn({ err, trackingNumber: number }, 'no label with the shipment');
    return [];
  }
}

function invoiceWarnings(draft: ShipmentDraft, hasInvoice: boolean): string[] {
  if (hasInvoice || !isDeclarable(draft.sender, draft.recipient)) return [];
  return [
    asksForInvoice(draft)
      ? 'The invoice for customs did not come with the label: put in one of your own'
      : 'The lines of the order make no invoice for customs: put in one of your own',
  ];
}

/** Cancels every shipment that the handle stands for; one that is cancelled already counts as done. */
export async function cancelShipment(context: Context, shipment: ShipmentHandle): Promise<void> {
  for (const number of numbersOf(shipment)) await voidShipment(context, number);
}

async function voidShipment(context: Context, number: string): Promise<void> {
  const path = `/shipments/v2409/void/cancel/${encodeURIComponent(number)}`;
  const question = { operation: 'void', effect: 'write', method: 'DELETE', path } as const;
  const answer = await ask(context, question, VoidAnswer).catch(async (error: unknown) => {
    // An answer came that is none of UPS's: label recovery knows what became of the shipment.
    if (!(error instanceof IntegrationError) && (await isVoidedByNow(context, number))) return null;
    throw error;
  });
  if (answer === null) return;
  if ('refusal' in answer) {
    if (answer.refusal.some(({ code }) => code === ALREADY_VOIDED)) return;
    throw refusalOf(answer);
  }
  const { SummaryResult, PackageLevelResults: packages } = answer.value.VoidShipmentResponse;
  const [gone, left] = ['1', '0'].map((code) => packages.filter(({ Status }) => Status.Code === code));
  if (SummaryResult.Status.Code === '1' && left?.length === 0) return;
  const numbers = (left ?? []).map(({ TrackingNumber }) => TrackingNumber).join(', ');
  const message = [SummaryResult.Status.Description || 'Not voided', numbers].filter(Boolean).join(': ');
  throw refusalOf(
    { refusal: [{ code: '', message }], status: 200 },
    gone?.length === 0 && SummaryResult.Status.Code === '0',
  );
}

/** False also when it cannot be known now. */
async function isVoidedByNow(context: Context, trackingNumber: string): Promise<boolean> {
  const answer = await recover(context, { trackingNumber }, 'zpl').catch(() => null);
  return answer !== null && 'refusal' in answer && answer.refusal.some(({ code }) => code === SHIPMENT_VOIDED);
}
