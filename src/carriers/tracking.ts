import type { EventMeaning, RawEvent } from './adapter.ts';

/** Makes `trackingCodes` of a table: a code outside it is `unrecognised`. */
export function codeTable(
  version: number,
  meaningOf: (event: RawEvent) => EventMeaning | undefined,
): { version: number; read(event: RawEvent): EventMeaning } {
  return { version, read: (event) => meaningOf(event) ?? { status: 'unrecognised' } };
}
