import { MAX_BYTES } from '../../lib/http.ts';
import { isPdf } from '../../lib/is-pdf.ts';
import type { CarrierContext, LabelFile, LabelFormat } from '../adapter.ts';
import type { Account } from './schema.ts';
import { headersOf } from './wire.ts';

type Printable = Exclude<LabelFormat, 'pdf-a5'>;

/** `normal` is A4; of ZPL, `A6` is for 203 dpi printers and `dpi300` for the others. A5 is refused by `check`. */
const FORMATS: Readonly<Record<Printable, { format: 'pdf' | 'zpl'; type: 'A6' | 'normal' }>> = {
  'pdf-a6': { format: 'pdf', type: 'A6' },
  'pdf-a4': { format: 'pdf', type: 'normal' },
  zpl: { format: 'zpl', type: 'A6' },
};

/** Fetches the label of a confirmed shipment, any number of times while it is young. Only reads. */
export async function labelOf(
  { account, http }: CarrierContext<Account>,
  shipmentId: string,
  labelFormat: LabelFormat,
): Promise<LabelFile> {
  const query = new URLSearchParams(FORMATS[labelFormat === 'pdf-a5' ? 'pdf-a6' : labelFormat]);
  const { body: bytes } = await http.send({
    operation: 'label',
    effect: 'read',
    method: 'GET',
    url: `${account.baseUrl}/v1/shipments/${encodeURIComponent(shipmentId)}/label?${query}`,
    headers: headersOf(account),
    maxBytes: MAX_BYTES,
  });
  // A label that was cut short begins as a whole one does.
  const end = bytes.subarray(-1024).toString('latin1');
  if (isPdf(bytes) && end.includes('%%EOF')) return { contentType: 'application/pdf', bytes };
  if (bytes.includes('^XA') && end.trimEnd().endsWith('^XZ')) return { contentType: 'application/zpl', bytes };
  throw new Error('The label is neither a whole PDF nor whole ZPL');
}
