import { MAX_BYTES } from '../../lib/http.ts';
import { readEach, warnOf } from '../../lib/read-each.ts';
import type { CarrierContext, LabelFile, LabelFormat, ShipmentDraft, ShipmentHandle } from '../adapter.ts';
import { contentTypeOf, labelFrom } from '../labels.ts';
import { numbersOf } from '../parcels.ts';
import { labelSpecification } from './mapping.ts';
import { refusalOf } from './refusals.ts';
import { type Account, LabelResult, RecoveryAnswer, TrackingCandidate } from './schema.ts';
import { ask } from './wire.ts';

type Context = CarrierContext<Account>;

/** UPS finds labels by the number of a package or by a reference of the shipper. */
export type Wanted = { trackingNumber: string } | { reference: string };

/** The answer of label recovery. */
interface Recovered {
  /** The shipment's number; empty when UPS names several, which are then the `candidates`. */
  shipment: string;
  trackingNumbers: string[];
  candidates: string[];
  labels: LabelFile[];
}

/** Fetches the labels of a booked shipment again. */
export async function fetchLabels(
  context: Context,
  { labelFormat }: ShipmentDraft,
  shipment: ShipmentHandle,
): Promise<LabelFile[]> {
  const [trackingNumber = ''] = numbersOf(shipment);
  const answer = await recover(context, { trackingNumber }, labelFormat);
  if ('refusal' in answer) throw refusalOf(answer);
  return answer.value.labels;
}

/** Asks label recovery, which UPS finds labels with. */
export async function recover(context: Context, wanted: Wanted, format: LabelFormat) {
  const answer = await ask(
    context,
    {
      operation: 'recoverLabel',
      effect: 'read',
      method: 'POST',
      path: '/labels/v1/recovery',
      maxBytes: MAX_BYTES,
      body: recoveryBody(context.account, wanted, format),
    },
    RecoveryAnswer,
  );
  return 'refusal' in answer ? answer : { value: readRecovery(context, answer.value, format) };
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

function readRecovery(
  { log }: Context,
  { LabelRecoveryResponse: answer }: RecoveryAnswer,
  format: LabelFormat,
): Recovered {
  const results = readEach(LabelResult, answer.LabelResults, warnOf(log, 'labels'));
  const candidates = readEach(TrackingCandidate, answer.TrackingCandidate, () => {
    // It may be ours.
    throw new Error('The answer holds a candidate that cannot be read');
  });
  return {
    shipment: answer.ShipmentIdentificationNumber,
    trackingNumbers: results.map(({ TrackingNumber }) => TrackingNumber).filter((number) => number !== ''),
    candidates: candidates.map(({ TrackingNumber }) => TrackingNumber),
    labels: labelsOf(
      results.map(({ LabelImage }) => LabelImage?.GraphicImage ?? ''),
      { format, count: answer.LabelResults.length },
    ),
  };
}

/** Returns the labels of all packages in the wanted format, or none: a missing one would go unnoticed. */
export function labelsOf(
  images: readonly string[],
  { format, count }: { format: LabelFormat; count: number },
): LabelFile[] {
  const files = images.flatMap((image) => labelFrom(Buffer.from(image, 'base64')) ?? []);
  const wanted = files.filter(({ contentType }) => contentType === contentTypeOf(format));
  // One PDF has the labels of all packages, and comes with the first of them.
  return wanted.length >= (format === 'zpl' ? count : 1) ? wanted : [];
}
