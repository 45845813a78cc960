import type { EventMeaning, RawEvent } from './adapter.ts';

/** A table of codes for `trackingCodes`: what it does not have is `unrecognised`. */
export function codeTable(
  version: number,
  meaningOf: (event: RawEvent) => EventMeaning | undefined,
): { version: number; read(event: RawEvent): EventMeaning } {
  return { version, read: (event) => meaningOf(event) ?? { status: 'unrecognised' } };
}
