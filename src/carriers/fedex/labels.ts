import { isPdf } from '../../lib/is-pdf.ts';
import type { AccompanyingFile, LabelFile, LabelFormat } from '../contract.ts';
import type { Document } from './schema.ts';

interface Piece {
  packageDocuments: readonly Document[];
}

/** The label of every piece in the wanted format, or none: a shipment that lacks one of them would go unnoticed. */
export function labelsOf(pieces: readonly Piece[], format: LabelFormat): LabelFile[] {
  const wanted = format === 'zpl' ? 'application/zpl' : 'application/pdf';
  const labels = pieces.flatMap(({ packageDocuments }) => filesOf(packageDocuments, 'LABEL').slice(0, 1));
  return labels.length === pieces.length && labels.every(({ contentType }) => contentType === wanted) ? labels : [];
}

export function invoicesOf(documents: readonly Document[]): AccompanyingFile[] {
  const files = filesOf(documents, 'COMMERCIAL_INVOICE').filter(({ contentType }) => contentType === 'application/pdf');
  return files.map((file) => ({ ...file, kind: 'customs_invoice' }));
}

function filesOf(documents: readonly Document[], type: string): LabelFile[] {
  return documents
    .filter(({ contentType }) => contentType === type)
    .flatMap(({ encodedLabel }) => readFile(encodedLabel));
}

function readFile(base64: string): LabelFile[] {
  const bytes = Buffer.from(base64, 'base64');
  if (isPdf(bytes)) return [{ contentType: 'application/pdf', bytes }];
  return bytes.includes('^XA') ? [{ contentType: 'application/zpl', bytes }] : [];
}
