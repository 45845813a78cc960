import type { AccompanyingFile, LabelFile } from '../adapter.ts';
import { labelFrom } from '../labels.ts';
import type { DhlDocument } from './schema.ts';

/** Returns the files of one kind that are PDF or ZPL, in DHL's order. */
export function filesOf(documents: readonly DhlDocument[], typeCode: 'label' | 'invoice'): LabelFile[] {
  return documents
    .filter((document) => document.typeCode.toLowerCase() === typeCode)
    .flatMap((document) => fileOf(document) ?? []);
}

export function invoicesOf(documents: readonly DhlDocument[]): AccompanyingFile[] {
  return filesOf(documents, 'invoice').map((file) => ({ ...file, kind: 'customs_invoice' }));
}

function fileOf({ content }: DhlDocument): LabelFile | null {
  return labelFrom(Buffer.from(content, 'base64'));
}

/** Lists the formats of labels and invoices that can be neither printed nor kept. */
export function unreadableFormats(documents: readonly DhlDocument[]): string[] {
  const wanted = documents.filter(({ typeCode }) => /^(label|invoice)$/i.test(typeCode));
  return wanted.flatMap((document) => (fileOf(document) ? [] : [document.imageFormat || 'no format']));
}
