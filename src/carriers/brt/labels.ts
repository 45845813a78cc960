import { isPdf } from '../../lib/is-pdf.ts';
import type { LabelFile, LabelFormat } from '../adapter.ts';
import type { CreateResponse } from './schema.ts';

/** The labels that came, in the order of the parcels. What is neither PDF nor ZPL is no label. */
export function labelsOf({ labels }: CreateResponse, format: LabelFormat): LabelFile[] {
  return labels
    .map(({ stream }) => readLabel(stream))
    .filter((label) => label !== null && isOf(label, format)) as LabelFile[];
}

function isOf({ contentType }: LabelFile, format: LabelFormat): boolean {
  return (contentType === 'application/zpl') === (format === 'zpl');
}

function readLabel(stream: string): LabelFile | null {
  const bytes = Buffer.from(stream.replace(/\s/g, ''), 'base64');
  if (isPdf(bytes)) return { contentType: 'application/pdf', bytes };
  return bytes.includes('^XA') ? { contentType: 'application/zpl', bytes } : null;
}
