import { isPdf } from '../../lib/is-pdf.ts';
import type { CarrierContext, LabelFile, LabelFormat, ShipmentDraft, ShipmentHandle } from '../contract.ts';
import { labelSpecification } from './mapping.ts';
import { refusalOf } from './refusals.ts';
import { type Account, RecoveryAnswer } from './schema.ts';
import { ask } from './wire.ts';

type Context = CarrierContext<Account>;

/** UPS finds labels by the number of a package or by a reference of the shipper. */
export type Wanted = { trackingNumber: string } | { reference: string };

/** What label recovery knows. */
interface Recovered {
  /** Of the shipment; empty when UPS names several, which `candidates` are then. */
  shipment: string;
  trackingNumbers: string[];
  candidates: string[];
  labels: LabelFile[];
}

/** The labels of what was booked, given out once more. */
export async function fetchLabels(
  context: Context,
  { labelFormat }: ShipmentDraft,
  shipment: ShipmentHandle,
): Promise<LabelFile[]> {
  const [trackingNumber = ''] = shipmentsOf(shipment);
  const answer = await recover(context, { trackingNumber }, labelFormat);
  if ('errors' in answer) throw refusalOf(answer.errors, answer.status);
  return answer.value.labels;
}

export async function recover(context: Context, wanted: Wanted, format: LabelFormat) {
  const answer = await ask(
    context,
    {
      operation: 'recoverLabel',
      effect: 'read',
      method: 'POST',
      path: '/labels/v1/recovery',
      body: recoveryBody(context.account, wanted, format),
    },
    RecoveryAnswer,
  );
  return 'errors' in answer ? answer : { value: readRecovery(answer.value, format) };
}

/** Unlike shipping, recovery has PDF. */
function recoveryBody({ shipperNumber }: Account, wanted: Wanted, format: LabelFormat) {
  return {
    LabelRecoveryRequest: {
      Request: {},
      LabelSpecification: labelSpecification(format === 'zpl' ? 'ZPL' : 'PDF'),
      ...('trackingNumber' in wanted
        ? { TrackingNumber: wanted.trackingNumber }
        : {
            ReferenceValues: { ReferenceNumber: { Value: wanted.reference }, ShipperNumber: shipperNumber },
          }),
    },
  };
}

function readRecovery({ LabelRecoveryResponse: answer }: RecoveryAnswer, format: LabelFormat): Recovered {
  const { ShipmentIdentificationNumber: shipment, LabelResults: results } = answer;
  return {
    shipment,
    trackingNumbers: results.map(({ TrackingNumber }) => TrackingNumber).filter((number) => number !== ''),
    candidates: answer.TrackingCandidate.map(({ TrackingNumber }) => TrackingNumber),
    labels: labelsOf(
      results.map(({ LabelImage }) => LabelImage?.GraphicImage ?? ''),
      format,
    ),
  };
}

/** All labels in the wanted format, or none: a shipment that lacks one of them would go unnoticed. */
export function labelsOf(images: readonly string[], format: LabelFormat): LabelFile[] {
  const files = images.flatMap((image) => readFile(image) ?? []);
  const wanted = files.filter(({ contentType }) => contentType === contentTypeOf(format));
  // One PDF has the labels of all packages, and comes with the first of them.
  return wanted.length >= (format === 'zpl' ? images.length : 1) ? wanted : [];
}

export function readFile(base64: string): LabelFile | null {
  const bytes = Buffer.from(base64, 'base64');
  if (isPdf(bytes)) return { contentType: 'application/pdf', bytes };
  return bytes.includes('^XA') ? { contentType: 'application/zpl', bytes } : null;
}

function contentTypeOf(format: LabelFormat): LabelFile['contentType'] {
  return format === 'zpl' ? 'application/zpl' : 'application/pdf';
}

const AND = ',';

/** The shipments that a handle stands for: one, or all that were found under a reference. */
export function shipmentsOf({ carrierReference, trackingNumber }: ShipmentHandle): string[] {
  return (carrierReference || trackingNumber).split(AND);
}

export function carrierReferenceOf(shipments: readonly string[]): string {
  return shipments.join(AND);
}
