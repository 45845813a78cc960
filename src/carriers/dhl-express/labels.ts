import { isPdf } from '../../lib/is-pdf.ts';
import type { AccompanyingFile, LabelFile, LabelFormat } from '../contract.ts';
import type { DhlDocument } from './schema.ts';

/** The files of one kind, in DHL's order. */
export function filesOf(documents: readonly DhlDocument[], typeCode: 'label' | 'invoice'): LabelFile[] {
  return documents.filter((document) => document.typeCode.toLowerCase() === typeCode).map(readFile);
}

export function invoicesOf(documents: readonly DhlDocument[]): AccompanyingFile[] {
  return filesOf(documents, 'invoice').map((file) => ({ ...file, kind: 'customs_invoice' }));
}

function readFile({ imageFormat, content }: DhlDocument): LabelFile {
  const bytes = Buffer.from(content, 'base64');
  if (isPdf(bytes)) return { contentType: 'application/pdf', bytes };
  if (bytes.includes('^XA')) return { contentType: 'application/zpl', bytes };
  throw new Error(`A document in ${imageFormat} is neither PDF nor ZPL`);
}

export function contentTypeOf(format: LabelFormat): LabelFile['contentType'] {
  return format === 'zpl' ? 'application/zpl' : 'application/pdf';
}
