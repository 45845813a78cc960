import { RequestFault } from './request-fault.ts';

type Given = Record<string, unknown>;

/** Where an element stands in its list. */
export interface Place {
  id: number;
  /** Epoch milliseconds, or the id again. */
  value: number;
}

const MAX_PAGE = 250;

/** Returns a page of a list, after the cursor of the page before; items are sorted by their places. */
export function connectionOf<Item>(
  items: readonly Item[],
  given: Given,
  { placeOf, render }: { placeOf(item: NoInfer<Item>): Place; render(item: NoInfer<Item>): unknown },
): object {
  const first = Number(given.first ?? 0);
  if (first < 1) throw new RequestFault('you must provide one of first or last');
  if (first > MAX_PAGE) throw new RequestFault(`first cannot exceed ${MAX_PAGE}`);
  const after = given.after ? readCursor(String(given.after)) : null;
  const rest = items.filter((item) => after === null || isAfter(placeOf(item), after));
  const page = rest.slice(0, first);
  const last = page.at(-1);
  return {
    nodes: page.map(render),
    pageInfo: { hasNextPage: rest.length > page.length, endCursor: last ? cursorOf(placeOf(last)) : null },
  };
}

function isAfter(place: Place, cursor: Place): boolean {
  return place.value > cursor.value || (place.value === cursor.value && place.id > cursor.id);
}

function cursorOf({ id, value }: Place): string {
  return Buffer.from(JSON.stringify({ last_id: id, last_value: value })).toString('base64');
}

function readCursor(cursor: string): Place {
  try {
    const { last_id, last_value } = JSON.parse(Buffer.from(cursor, 'base64').toString('utf8'));
    return { id: Number(last_id), value: Number(last_value) };
  } catch {
    throw new RequestFault('Invalid cursor for current pagination sort.');
  }
}

/** Matches the words of a search that are about times. It ignores all others, as the platform ignores unknown words. */
export function matchesTimes(query: unknown, times: Readonly<Record<string, string>>): boolean {
  const terms = [...String(query ?? '').matchAll(/(\w+):(>=|<=|>|<)'?([^'\s]+)'?/g)];
  return terms.every(([, field = '', operator = '', value = '']) => {
    const time = times[field];
    if (time === undefined) return true;
    // Users report that the edge of a date counts with and without the equals sign.
    return operator.startsWith('>') ? Date.parse(time) >= Date.parse(value) : Date.parse(time) <= Date.parse(value);
  });
}
