import type { z } from 'zod';

/** Reads the lines of an order one by one, and names what is wrong with them in `problems`. Null: the platform gave no list. */
export function readLines<Schema extends z.ZodType>(
  schema: Schema,
  raws: readonly unknown[] | null,
  problems: string[],
): z.infer<Schema>[] {
  const read = (raws ?? []).map((raw) => schema.safeParse(raw));
  for (const [index, { success }] of read.entries()) {
    if (!success) problems.push(`Line ${index + 1} of the order could not be read`);
  }
  if (raws === null) problems.push('The lines of the order could not be read');
  else if (raws.length === 0) problems.push('The order has no lines');
  return read.flatMap(({ data, success }) => (success ? [data] : []));
}
