import type { StoredOrder } from './books.ts';
import { shopTime } from './render.ts';

type Query = Record<string, unknown>;

export type Selection =
  | { orders: StoredOrder[]; total: number; page: number; perPage: number }
  | { invalid: Record<string, string> };

const MAX_PER_PAGE = 100;
const ORDER_BY = ['date', 'id', 'include', 'title', 'slug'];

/** Selects by the list parameters of the platform. It silently ignores unknown ones, such as a misspelt one. */
export function selectOrders(all: readonly StoredOrder[], query: Query): Selection {
  const invalid = complaints(query);
  if (Object.keys(invalid).length > 0) return { invalid };

  const perPage = Number(query.per_page ?? 10);
  const page = Number(query.page ?? 1);
  const found = all.filter((order) => matches(order, query)).sort(comparing(query));
  const from = query.offset === undefined ? (page - 1) * perPage : Number(query.offset);
  return { orders: found.slice(from, from + perPage), total: found.length, page, perPage };
}

function complaints(query: Query): Record<string, string> {
  const invalid: Record<string, string> = {};
  const perPage = query.per_page;
  if (perPage !== undefined && !(isWhole(perPage) && Number(perPage) <= MAX_PER_PAGE)) {
    invalid.per_page = `per_page must be between 1 (inclusive) and ${MAX_PER_PAGE} (inclusive)`;
  }
  if (query.page !== undefined && !isWhole(query.page)) invalid.page = 'page must be greater than or equal to 1';
  for (const name of ['after', 'before', 'modified_after', 'modified_before']) {
    const date = query[name];
    if (date !== undefined && Number.isNaN(Date.parse(String(date)))) invalid[name] = 'Invalid date.';
  }
  if (query.order !== undefined && !['asc', 'desc'].includes(String(query.order))) {
    invalid.order = 'order is not one of asc and desc.';
  }
  if (query.orderby !== undefined && !ORDER_BY.includes(String(query.orderby))) {
    invalid.orderby = `orderby is not one of ${ORDER_BY.join(', ')}.`;
  }
  return invalid;
}

function matches(order: StoredOrder, query: Query): boolean {
  const { body, createdAt, modifiedAt } = order;
  const isGmt = query.dates_are_gmt === 'true' || query.dates_are_gmt === '1';
  const show = (instant: string): string => (isGmt ? instant.slice(0, 19) : shopTime(instant));
  const later = (at: string, name: string): boolean => query[name] === undefined || show(at) > dateOf(query[name]);
  const earlier = (at: string, name: string): boolean => query[name] === undefined || show(at) < dateOf(query[name]);
  return (
    later(createdAt, 'after') &&
    earlier(createdAt, 'before') &&
    later(modifiedAt, 'modified_after') &&
    earlier(modifiedAt, 'modified_before') &&
    hasStatus(body.status, listOf(query.status)) &&
    (query.include === undefined || listOf(query.include).includes(String(body.id))) &&
    !listOf(query.exclude).includes(String(body.id)) &&
    (query.parent === undefined || listOf(query.parent).includes(String(body.parent_id))) &&
    !listOf(query.parent_exclude).includes(String(body.parent_id)) &&
    (query.customer === undefined || String(body.customer_id) === query.customer) &&
    (query.product === undefined || holdsProduct(body.line_items, String(query.product))) &&
    (query.search === undefined || JSON.stringify(body).toLowerCase().includes(String(query.search).toLowerCase()))
  );
}

/** Like WordPress, `any` leaves out what is in the trash. */
function hasStatus(status: string, wanted: string[]): boolean {
  return wanted.includes(status) || ((wanted.length === 0 || wanted.includes('any')) && status !== 'trash');
}

function holdsProduct(lines: unknown, product: string): boolean {
  return (
    Array.isArray(lines) && lines.some((line) => String((line as { product_id?: unknown })?.product_id) === product)
  );
}

function comparing(query: Query): (a: StoredOrder, b: StoredOrder) => number {
  const direction = query.order === 'asc' ? 1 : -1;
  const byId = ['id', 'title', 'slug'].includes(String(query.orderby));
  return (a, b) => {
    const byDate = byId ? 0 : a.createdAt.localeCompare(b.createdAt);
    return direction * (byDate || a.body.id - b.body.id);
  };
}

function dateOf(date: unknown): string {
  return String(date).slice(0, 19);
}

function listOf(value: unknown): string[] {
  if (value === undefined) return [];
  const list = Array.isArray(value) ? value : String(value).split(',');
  return list.map((each) => String(each).trim()).filter(Boolean);
}

function isWhole(value: unknown): boolean {
  return /^[1-9]\d*$/.test(String(value));
}
