import type { LabelFile, LabelFormat } from '../adapter.ts';
import { contentTypeOf, labelFrom } from '../labels.ts';
import type { CreateResponse } from './schema.ts';

/** Returns the labels that came, in the order of the parcels. A file that is neither PDF nor ZPL is no label. */
export function labelsOf({ labels }: CreateResponse, format: LabelFormat): LabelFile[] {
  return labels
    .flatMap(({ stream }) => labelFrom(Buffer.from(stream.replace(/\s/g, ''), 'base64')) ?? [])
    .filter(({ contentType }) => contentType === contentTypeOf(format));
}
