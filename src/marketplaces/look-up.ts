import type { z } from 'zod';
import type { Log } from '../lib/log.ts';
import { readEach, warnOf } from '../lib/read-each.ts';

/** A platform's list of things of one order, such as its shipments. */
export interface LookUp<Element> {
  elements: Element[];
  /** How many could not be read. Each may be the very shipment that is about to be written. */
  unreadable: number;
}

/** Reads such a list element by element, and logs how many could not be read. */
export function readLookUp<Schema extends z.ZodType>(
  log: Log,
  list: string,
  { schema, raws }: { schema: Schema; raws: readonly unknown[] },
): LookUp<z.infer<Schema>> {
  let unreadable = 0;
  const elements = readEach(schema, raws, (found) => {
    unreadable = found.count;
    warnOf(log, list)(found);
  });
  return { elements, unreadable };
}

/** Returns the sentence that refuses a write after such a list; null when all of it was read. */
export function doubtAbout(unreadable: number, what: string): string | null {
  if (unreadable === 0) return null;
  return `${unreadable} of the ${what} of the order could not be read, and may be this shipment: check the order in the shop`;
}
