import { isPdf } from '../lib/is-pdf.ts';
import type { LabelFile, LabelFormat } from './adapter.ts';

/** Recognises PDF and ZPL by their first bytes or commands. Returns null for anything else. */
export function labelFrom(bytes: Buffer): LabelFile | null {
  if (isPdf(bytes)) return { contentType: 'application/pdf', bytes };
  return bytes.includes('^XA') ? { contentType: 'application/zpl', bytes } : null;
}

/** Returns the content type that a draft's label format asks for. */
export function contentTypeOf(format: LabelFormat): LabelFile['contentType'] {
  return format === 'zpl' ? 'application/zpl' : 'application/pdf';
}
