import { isPdf } from '../../lib/is-pdf.ts';
import type { AccompanyingFile, LabelFile, LabelFormat } from '../adapter.ts';
import type { DhlDocument } from './schema.ts';

/** The files of one kind that are PDF or ZPL, in DHL's order. */
export function filesOf(documents: readonly DhlDocument[], typeCode: 'label' | 'invoice'): LabelFile[] {
  return documents.filter((document) => document.typeCode.toLowerCase() === typeCode).flatMap(readFile);
}

export function invoicesOf(documents: readonly DhlDocument[]): AccompanyingFile[] {
  return filesOf(documents, 'invoice').map((file) => ({ ...file, kind: 'customs_invoice' }));
}

function readFile({ content }: DhlDocument): LabelFile[] {
  const bytes = Buffer.from(content, 'base64');
  if (isPdf(bytes)) return [{ contentType: 'application/pdf', bytes }];
  return bytes.includes('^XA') ? [{ contentType: 'application/zpl', bytes }] : [];
}

/** The formats of labels and invoices that can be neither printed nor kept. */
export function unreadableFormats(documents: readonly DhlDocument[]): string[] {
  const wanted = documents.filter(({ typeCode }) => /^(label|invoice)$/i.test(typeCode));
  return wanted.flatMap((document) => (readFile(document).length > 0 ? [] : [document.imageFormat || 'no format']));
}

export function contentTypeOf(format: LabelFormat): LabelFile['contentType'] {
  return format === 'zpl' ? 'application/zpl' : 'application/pdf';
}
