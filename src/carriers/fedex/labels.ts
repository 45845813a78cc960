import { readEach, warnOf } from '../../lib/read-each.ts';
import type { AccompanyingFile, CarrierContext, LabelFile, LabelFormat } from '../adapter.ts';
import { contentTypeOf, labelFrom } from '../labels.ts';
import { type Account, Document, Piece } from './schema.ts';

type Context = CarrierContext<Account>;

/** Returns the label of every piece in the wanted format, or none: a missing one would go unnoticed. */
export function labelsOf(context: Context, pieces: readonly unknown[], format: LabelFormat): LabelFile[] {
  const wanted = contentTypeOf(format);
  const labels = readEach(Piece, pieces, warnOf(context.log, 'pieces')).flatMap(({ packageDocuments }) =>
    filesOf(context, packageDocuments, 'LABEL').slice(0, 1),
  );
  return labels.length === pieces.length && labels.every(({ contentType }) => contentType === wanted) ? labels : [];
}

export function invoicesOf(context: Context, documents: readonly unknown[]): AccompanyingFile[] {
  const files = filesOf(context, documents, 'COMMERCIAL_INVOICE').filter(
    ({ contentType }) => contentType === 'application/pdf',
  );
  return files.map((file) => ({ ...file, kind: 'customs_invoice' }));
}

function filesOf({ log }: Context, documents: readonly unknown[], type: string): LabelFile[] {
  return readEach(Document, documents, warnOf(log, 'documents'))
    .filter(({ contentType }) => contentType === type)
    .flatMap(({ encodedLabel }) => labelFrom(Buffer.from(encodedLabel, 'base64')) ?? []);
}
