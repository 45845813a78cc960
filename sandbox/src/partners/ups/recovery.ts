import type { z } from 'zod';
import { no, type Refusal, SUCCESS } from './answers.ts';
import type { Books, Shipment } from './books.ts';
import { GIF, pdfLabels, zplLabel } from './labels.ts';
import type { RecoveryRequest } from './protocol.ts';

const UNKNOWN = no(
  '300007',
  'The shipment for the requested tracking number or the combination of reference number plus shipper number could not be found. Please check the submitted data or wait until the shipment is processed.',
);
const VOIDED = no('300033', 'The shipment for which you are trying to recover a label or Receipt has been voided.');
const NOTHING_ASKED = no('300005', 'Either tracking number or combination of reference plus shipper number required');

type Question = z.infer<typeof RecoveryRequest>['LabelRecoveryRequest'];

/** Labels of a shipment once more: by the number of a package, or by reference and shipper. Several are named, not printed. */
export async function recoveryAnswer(question: Question, books: Books): Promise<object | Refusal> {
  const { TrackingNumber: number, ReferenceValues: by } = question;
  if (!number && !by) return NOTHING_ASKED;
  const one = number ? books.find(number) : undefined;
  const found = number
    ? [one].filter((shipment) => shipment !== undefined)
    : books.search(by?.ReferenceNumber.Value ?? '', by?.ShipperNumber ?? '');
  if (found.length === 0) return UNKNOWN;
  const live = found.filter(({ voidedAt }) => voidedAt === null);
  const [first, ...others] = live;
  if (!first) return VOIDED;
  const format = question.LabelSpecification?.LabelImageFormat.Code ?? 'GIF';
  return {
    LabelRecoveryResponse: {
      Response: SUCCESS,
      ...(others.length > 0
        ? {
            LabelResults: [],
            TrackingCandidate: live.map(({ id, recipient }) => ({
              TrackingNumber: id,
              DestinationPostalCode: recipient.zip,
              DestinationCountryCode: recipient.country,
            })),
          }
        : { ShipmentIdentificationNumber: first.id, LabelResults: await resultsOf(first, format) }),
    },
  };
}

/** A PDF holds the labels of all packages, and comes with the first of them only. */
async function resultsOf(shipment: Shipment, format: string): Promise<object[]> {
  const pdf = format === 'PDF' ? await pdfLabels(shipment) : null;
  return shipment.packages.map(({ number }, index) => {
    const bytes = format === 'ZPL' ? zplLabel(shipment, index + 1) : GIF;
    const image = pdf ? (index === 0 ? pdf : null) : bytes;
    return {
      TrackingNumber: number,
      ...(image ? { LabelImage: { LabelImageFormat: { Code: format }, GraphicImage: image.toString('base64') } } : {}),
    };
  });
}
