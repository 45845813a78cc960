import type { z } from 'zod';
import type { Log } from './log.ts';

/** The number of unreadable elements of a list, and the names of the odd fields. Never their values. */
interface Unreadable {
  count: number;
  fields: string[];
}

/**
 * Parses a list element by element, so that one odd element does not lose the others. `onUnreadable` runs at most once.
 * It warns (see `warnOf`), or throws where a missing element would look like an absence.
 */
export function readEach<Schema extends z.ZodType>(
  schema: Schema,
  raws: readonly unknown[],
  onUnreadable: (unreadable: Unreadable) => void,
): z.infer<Schema>[] {
  const elements: z.infer<Schema>[] = [];
  const fields = new Set<string>();
  let count = 0;
  for (const raw of raws) {
    const parsed = schema.safeParse(raw);
    if (parsed.success) {
      elements.push(parsed.data);
      continue;
    }
    count += 1;
    for (const { path } of parsed.error.issues) fields.add(nameOf(path));
  }
  if (count > 0) onUnreadable({ count, fields: [...fields].toSorted() });
  return elements;
}

/** Logs the number of unreadable elements; `list` names the list, as in `tracking events`. */
export function warnOf(log: Log, list: string): (unreadable: Unreadable) => void {
  return ({ count, fields }) => log.warn({ list, count, fields }, 'list elements not read');
}

/** Drops positions in inner lists, which would make each of them a separate field. */
function nameOf(path: readonly PropertyKey[]): string {
  return path.filter((part) => typeof part === 'string').join('.') || '(element)';
}
