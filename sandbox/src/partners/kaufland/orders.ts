import type { Request, Response } from 'express';
import { sendNotFound, sendProblem } from './answers.ts';
import { type KauflandBooks, type StoredOrder, unitsOf } from './books.ts';

const STOREFRONTS = ['de', 'cz', 'sk', 'pl', 'at', 'fr', 'it'];
const EMBEDDABLE = ['order_invoices', 'delivery', 'kss_delivery'];
const KNOWN = ['storefront', 'ts_created_from_iso', 'ts_units_updated_from_iso', 'fulfillment_type', 'limit', 'offset'];
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;
const MAX_LIMIT = 100;
const DEFAULT_LIMIT = 30;

type Query = Record<string, string | undefined>;
type Fault = { field: string; message: string };

/** Handles `GetOrders`: numbers and dates alone, newest first. */
export function sendOrders({ state }: KauflandBooks, request: Request, response: Response): void {
  const query = request.query as Query;
  const errors = faultsOf(query);
  if (errors.length > 0) return void sendInvalid(response, errors);
  const limit = Number(query.limit ?? DEFAULT_LIMIT);
  const offset = Number(query.offset ?? 0);
  const type = query.fulfillment_type ?? 'fulfilled_by_merchant';
  const found = state.orders
    .filter((order) => query.storefront === undefined || order.storefront === query.storefront)
    .filter((order) => order.fulfillment_type === type)
    .filter((order) => isAfter(order.ts_created_iso, query.ts_created_from_iso))
    .filter((order) => isAfter(updatedAt(order), query.ts_units_updated_from_iso))
    .sort((a, b) => b.ts_created_iso.localeCompare(a.ts_created_iso));
  const data = found.slice(offset, offset + limit).map(renderListed);
  response.json({ data, pagination: { offset, limit, total: found.length } });
}

/** Handles `GetOrder`: the address must be asked for. */
export function sendOrder(books: KauflandBooks, request: Request, response: Response): void {
  const embedded = request.query.embedded;
  if (embedded !== undefined && !EMBEDDABLE.includes(String(embedded))) {
    return void sendInvalid(response, [{ field: 'embedded', message: 'not valid' }]);
  }
  const order = books.findOrder(request.params.id);
  if (!order) return void sendNotFound(response);
  const { delivery = { pickup_location: null }, ...rest } = order;
  response.json({ data: embedded === 'delivery' ? { ...rest, delivery } : rest });
}

function sendInvalid(response: Response, errors: Fault[]): void {
  const message = 'Request parameters have invalid values';
  sendProblem(response, { status: 400, message, type: 'validation-error', errors });
}

function faultsOf(query: Query): Fault[] {
  const isWhole = (text: string | undefined, min: number, max: number): boolean =>
    text === undefined || (/^\d+$/.test(text) && Number(text) >= min && Number(text) <= max);
  const isTime = (text: string | undefined): boolean => text === undefined || TIMESTAMP.test(text);
  const checks: [string, boolean][] = [
    ...Object.keys(query).map((name): [string, boolean] => [name, KNOWN.includes(name)]),
    ['storefront', query.storefront === undefined || STOREFRONTS.includes(query.storefront)],
    ['ts_created_from_iso', isTime(query.ts_created_from_iso)],
    ['ts_units_updated_from_iso', isTime(query.ts_units_updated_from_iso)],
    ['limit', isWhole(query.limit, 1, MAX_LIMIT)],
    ['offset', isWhole(query.offset, 0, Number.MAX_SAFE_INTEGER)],
  ];
  return checks.filter(([, isGood]) => !isGood).map(([field]) => ({ field, message: 'not valid' }));
}

function renderListed(order: StoredOrder): object {
  const { id_order, ts_created_iso, is_marketplace_deemed_supplier, storefront, fulfillment_type } = order;
  return {
    id_order,
    ts_created_iso,
    is_marketplace_deemed_supplier,
    order_units_count: Array.isArray(order.order_units) ? order.order_units.length : 0,
    ts_units_updated_iso: updatedAt(order),
    storefront,
    fulfillment_type,
  };
}

function updatedAt(order: StoredOrder): string {
  const dates = unitsOf(order).map((unit) => String(unit.ts_updated_iso));
  return dates.sort().at(-1) ?? order.ts_created_iso;
}

function isAfter(date: string, from: string | undefined): boolean {
  const at = Date.parse(date);
  // Unreadable dates of a seed are shown rather than hidden.
  return from === undefined || Number.isNaN(at) || at > Date.parse(from);
}
