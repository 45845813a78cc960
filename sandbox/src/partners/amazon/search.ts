import { isWithin, listOf } from '../../order-partner.ts';
import { sha256 } from '../../secrets.ts';
import type { StoredOrder } from './books.ts';
import { DATASETS } from './datasets.ts';

type Query = Record<string, unknown>;

export type Selection = { orders: StoredOrder[]; answer: Record<string, unknown> } | { invalid: string };

const STATUSES = [
  'PENDING_AVAILABILITY',
  'PENDING',
  'UNSHIPPED',
  'PARTIALLY_SHIPPED',
  'SHIPPED',
  'CANCELLED',
  'UNFULFILLABLE',
];
const LISTS: Readonly<Record<string, readonly string[] | null>> = {
  fulfillmentStatuses: STATUSES,
  fulfilledBy: ['MERCHANT', 'AMAZON'],
  includedData: DATASETS,
  marketplaceIds: null,
};
const DATES = ['createdAfter', 'createdBefore', 'lastUpdatedAfter', 'lastUpdatedBefore'];
const MAX_MARKETPLACES = 50;
const SETTLED_MS = 2 * 60_000;
const TOKEN_LIFE_MS = 86_400_000;
/** Parameters that may differ between the first page and the next. */
const FREE = new Set(['maxResultsPerPage', 'includedData', 'paginationToken']);

/** Where a page ends, what was asked for, and until when the token is good. */
interface Cursor {
  at: string;
  id: string;
  asked: string;
  until: number;
}

/** Selects by the parameters of `searchOrders`. Pages are sorted by the time of the update, then by id, which is our choice. */
export function searchOrders(all: readonly StoredOrder[], query: Query, now: Date): Selection {
  const invalid = complaintAbout(query, now);
  if (invalid) return { invalid };
  const by = query.createdAfter === undefined ? 'lastUpdated' : 'created';
  const before = String(query[`${by}Before`] ?? new Date(now.getTime() - SETTLED_MS).toISOString());
  const cursor = query.paginationToken === undefined ? null : readCursor(String(query.paginationToken));
  const asked = sha256(JSON.stringify(Object.entries(query).filter(([name]) => !FREE.has(name))));
  if (cursor === 'broken' || (cursor && (cursor.asked !== asked || cursor.until < now.getTime()))) {
    return { invalid: 'paginationToken' };
  }
  const timeOf = (order: StoredOrder): string => (by === 'created' ? order.createdTime : order.lastUpdatedTime);
  const range = { from: Date.parse(String(query[`${by}After`])), to: Date.parse(before) };
  const found = all
    .filter((order) => isWithin(timeOf(order), range) && matches(order, query))
    .sort((a, b) => timeOf(a).localeCompare(timeOf(b)) || a.orderId.localeCompare(b.orderId))
    .filter(
      (order) => !cursor || timeOf(order) > cursor.at || (timeOf(order) === cursor.at && order.orderId > cursor.id),
    );
  const orders = found.slice(0, Number(query.maxResultsPerPage ?? 100));
  const last = orders.at(-1);
  const next: Cursor | null =
    last && found.length > orders.length
      ? { at: timeOf(last), id: last.orderId, asked, until: now.getTime() + TOKEN_LIFE_MS }
      : null;
  const pagination = next && { nextToken: Buffer.from(JSON.stringify(next)).toString('base64') };
  return { orders, answer: { ...(pagination ? { pagination } : {}), [`${by}Before`]: before } };
}

/** The first parameter that cannot be used, or null. */
function complaintAbout(query: Query, now: Date): string | null {
  const date = DATES.find((name) => query[name] !== undefined && !isUtc(query[name]));
  if (date) return date;
  if ((query.createdAfter === undefined) === (query.lastUpdatedAfter === undefined)) return 'lastUpdatedAfter';
  const [by, other] = query.createdAfter === undefined ? ['lastUpdated', 'created'] : ['created', 'lastUpdated'];
  if (query[`${other}Before`] !== undefined) return `${other}Before`;
  const before = query[`${by}Before`];
  if (before !== undefined) {
    const isEarly = Date.parse(String(before)) < Date.parse(String(query[`${by}After`]));
    if (isEarly || Date.parse(String(before)) > now.getTime() - SETTLED_MS) return `${by}Before`;
  }
  const perPage = Number(query.maxResultsPerPage ?? 100);
  if (!Number.isInteger(perPage) || perPage < 1 || perPage > 100) return 'maxResultsPerPage';
  return complaintAboutLists(query);
}

export function complaintAboutLists(query: Query): string | null {
  if (listOf(query.marketplaceIds).length > MAX_MARKETPLACES) return 'marketplaceIds';
  const wrong = Object.entries(LISTS).find(
    ([name, values]) => values && listOf(query[name]).some((value) => !values.includes(value)),
  );
  return wrong?.[0] ?? null;
}

function matches(order: StoredOrder, query: Query): boolean {
  const { fulfillmentStatus, fulfilledBy } = order.fulfillment as Record<string, string>;
  const { marketplaceId } = order.salesChannel as Record<string, string>;
  const isAmong = (value: string | undefined, wanted: string[]): boolean =>
    wanted.length === 0 || wanted.includes(value ?? '');
  return (
    isAmong(fulfillmentStatus, listOf(query.fulfillmentStatuses)) &&
    isAmong(fulfilledBy, listOf(query.fulfilledBy)) &&
    isAmong(marketplaceId, listOf(query.marketplaceIds))
  );
}

function isUtc(date: unknown): boolean {
  return typeof date === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(date) && !Number.isNaN(Date.parse(date));
}

function readCursor(token: string): Cursor | 'broken' {
  try {
    return JSON.parse(Buffer.from(token, 'base64').toString('utf8'));
  } catch {
    return 'broken';
  }
}
