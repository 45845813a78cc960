import { isWithin, listOf } from '../../order-partner.ts';
import type { StoredOrder } from './books.ts';

type Query = Record<string, unknown>;

export type Selection = { orders: StoredOrder[]; total_count: number } | { complaint: string };

export const STATES = [
  'STAGING',
  'WAITING_ACCEPTANCE',
  'WAITING_DEBIT',
  'WAITING_DEBIT_PAYMENT',
  'SHIPPING',
  'SHIPPED',
  'TO_COLLECT',
  'RECEIVED',
  'CLOSED',
  'REFUSED',
  'CANCELED',
];
const DATES = ['start_date', 'end_date', 'start_update_date', 'end_update_date'];
const MAX = 100;
/** "Mirakl will subtract a time delta": how much is its own affair. */
const DELTA_MS = 60_000;

/** Selects by the parameters of OR11, sorted by creation and then by id. */
export function searchOrders(all: readonly StoredOrder[], query: Query): Selection {
  const complaint = complaintAbout(query);
  if (complaint !== null) return { complaint };
  const [ids, states] = [listOf(query.order_ids), listOf(query.order_state_codes)];
  const created = rangeOf(query.start_date, query.end_date);
  const updated = rangeOf(query.start_update_date, query.end_update_date, DELTA_MS);
  const direction = query.order === 'desc' ? -1 : 1;
  const found = all
    .filter(
      (order) =>
        (ids.length === 0 || ids.includes(order.order_id)) &&
        (states.length === 0 || states.includes(order.order_state)) &&
        isWithin(order.created_date, created) &&
        isWithin(order.last_updated_date, updated),
    )
    .sort((a, b) => direction * (a.created_date.localeCompare(b.created_date) || a.order_id.localeCompare(b.order_id)));
  const offset = Number(query.offset ?? 0);
  return { orders: found.slice(offset, offset + Number(query.max ?? 10)), total_count: found.length };
}

function complaintAbout(query: Query): string | null {
  const date = DATES.find((name) => query[name] !== undefined && !isDate(query[name]));
  if (date) return `${date} is no date`;
  if (!isWhole(query.max, 1, MAX)) return `max must be between 1 and ${MAX}`;
  if (!isWhole(query.offset, 0, Number.MAX_SAFE_INTEGER)) return 'offset must be a positive integer';
  if (!isAmong(query.sort, ['dateCreated'])) return 'sort must be dateCreated';
  if (!isAmong(query.order, ['asc', 'desc'])) return 'order must be asc or desc';
  if (!isAmong(query.order_tax_mode, ['TAX_INCLUDED', 'TAX_EXCLUDED'])) return 'order_tax_mode is not known';
  const state = listOf(query.order_state_codes).find((code) => !STATES.includes(code));
  return state === undefined ? null : `The order state ${state} does not exist`;
}

function isAmong(value: unknown, allowed: readonly string[]): boolean {
  return value === undefined || allowed.includes(String(value));
}

function isWhole(value: unknown, min: number, max: number): boolean {
  return value === undefined || (/^\d+$/.test(String(value)) && Number(value) >= min && Number(value) <= max);
}

function isDate(value: unknown): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(String(value)) && !Number.isNaN(Date.parse(String(value)));
}

function rangeOf(from: unknown, to: unknown, deltaMs = 0): { from: number; to: number } {
  return {
    from: from === undefined ? Number.NEGATIVE_INFINITY : Date.parse(String(from)) - deltaMs,
    to: to === undefined ? Number.POSITIVE_INFINITY : Date.parse(String(to)),
  };
}
