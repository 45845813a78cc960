import { isWithin } from '../../order-partner.ts';
import type { StoredOrder } from './books.ts';

type Query = Record<string, unknown>;

export interface Complaint {
  errorId: number;
  message: string;
}

export type Selection = { orders: StoredOrder[]; total: number; limit: number; offset: number } | Complaint;

interface Range {
  from: number;
  to: number;
}

const STATUSES = ['{NOT_STARTED|IN_PROGRESS}', '{FULFILLED|IN_PROGRESS}'];
const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 90;
const MAX_YEARS = 2;
const MAX_LIMIT = 200;
const MAX_IDS = 50;
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?Z$/;

/** Selects by the parameters of `getOrders`, oldest creation first. */
export function searchOrders(all: readonly StoredOrder[], query: Query, now: Date): Selection {
  const fields = complaintAboutFields(query);
  if (fields) return fields;
  if (query.orderIds !== undefined) {
    const ids = String(query.orderIds).split(',');
    if (ids.length > MAX_IDS) {
      const message = `Exceeded maximum number of order IDs (the current limit is ${MAX_IDS})`;
      return { errorId: 30900, message };
    }
    const orders = all.filter(({ orderId }) => ids.includes(orderId));
    return { orders, total: orders.length, limit: orders.length, offset: 0 };
  }
  const limit = wholeNumber(query.limit, 50);
  if (limit === null || limit < 1 || limit > MAX_LIMIT) {
    return { errorId: 31100, message: `Invalid limit: ${String(query.limit)}` };
  }
  const offset = wholeNumber(query.offset, 0);
  if (offset === null) return { errorId: 31000, message: `Invalid offset: ${String(query.offset)}` };
  const test = filterOf(String(query.filter ?? ''), now);
  if ('errorId' in test) return test;
  const found = all
    .filter(test.matches)
    .sort((a, b) => a.creationDate.localeCompare(b.creationDate) || a.orderId.localeCompare(b.orderId));
  return { orders: found.slice(offset, offset + limit), total: found.length, limit, offset };
}

/** Rejects all values of `fieldGroups` but the one that exists. */
export function complaintAboutFields({ fieldGroups }: Query): Complaint | null {
  if (fieldGroups === undefined || fieldGroups === 'TAX_BREAKDOWN') return null;
  return { errorId: 32800, message: `Invalid field group: ${String(fieldGroups)}` };
}

function filterOf(text: string, now: Date): Complaint | { matches(order: StoredOrder): boolean } {
  const ranges: Record<string, Range> = {};
  let wanted: string | null = null;
  // A comma inside of brackets belongs to the value.
  for (const part of text.split(/,(?![^[{]*[\]}])/).filter(Boolean)) {
    const [, name = part, value = ''] = /^(\w+):(.*)$/.exec(part) ?? [];
    if (name === 'orderfulfillmentstatus') {
      if (!STATUSES.includes(value)) return invalidValue(name, value);
      wanted = value;
    } else if (name === 'creationdate' || name === 'lastmodifieddate') {
      const range = rangeOf(name, value, now);
      if ('errorId' in range) return range;
      ranges[name] = range;
    } else {
      return { errorId: 30700, message: `Invalid filter name: ${name}` };
    }
  }
  const { creationdate, lastmodifieddate } = ranges;
  const since = { from: now.getTime() - DEFAULT_DAYS * DAY_MS, to: now.getTime() };
  return {
    // When both are given, only the creation counts.
    matches: ({ creationDate, lastModifiedDate, orderFulfillmentStatus }) =>
      (creationdate || !lastmodifieddate
        ? isWithin(creationDate, creationdate ?? since)
        : isWithin(lastModifiedDate, lastmodifieddate)) &&
      (wanted === null || wanted.slice(1, -1).split('|').includes(orderFulfillmentStatus)),
  };
}

function rangeOf(name: string, value: string, now: Date): Range | Complaint {
  const [, start, end] = /^\[(.*?)\.\.(.*)\]$/.exec(value) ?? [];
  if (start === undefined || end === undefined) return invalidValue(name, value);
  if (start === '') return { errorId: 30820, message: 'Start date is missing' };
  if (!TIMESTAMP.test(start) || (end !== '' && !TIMESTAMP.test(end))) {
    return { errorId: 30810, message: 'Invalid date format' };
  }
  const range = { from: Date.parse(start), to: end === '' ? now.getTime() : Date.parse(end) };
  if (range.from > now.getTime() || range.to > now.getTime()) {
    return { errorId: 30850, message: "Start and end dates can't be in the future" };
  }
  if (range.from > range.to) return { errorId: 30840, message: 'Start date should be before end date' };
  if (range.to - range.from > MAX_YEARS * 366 * DAY_MS) {
    const message = `Time range between start date and end date must be within '${MAX_YEARS}' years.`;
    return { errorId: 30830, message };
  }
  return range;
}

function invalidValue(name: string, value: string): Complaint {
  return { errorId: 30800, message: `Invalid filter value ${value} for filter ${name}` };
}

function wholeNumber(value: unknown, fallback: number): number | null {
  if (value === undefined) return fallback;
  return /^\d+$/.test(String(value)) ? Number(value) : null;
}
