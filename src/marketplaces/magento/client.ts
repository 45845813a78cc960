import type { z } from 'zod';
import { readAnswer, sendJson } from '../json-client.ts';
import { type LookUp, readLookUp } from '../look-up.ts';
import type { ShopContext } from './account.ts';
import { authorize, encode } from './auth.ts';
import type { Carrier } from './carriers.ts';
import { refusals } from './refusals.ts';
import { Deleted, Identified, Order, SearchAnswer, Shipment, ShipmentId, ShipmentList } from './schema.ts';

interface ShopCall {
  operation: string;
  method: 'GET' | 'POST' | 'DELETE';
  /** Below `/V1/`. */
  path: string;
  query?: Record<string, string>;
  body?: unknown;
}

export interface Filter {
  field: string;
  condition: 'eq' | 'gt' | 'gteq' | 'lteq';
  value: string | number;
}

interface Search {
  /** All of them must hold. */
  filters: readonly Filter[];
  pageSize: number;
}

/** Far more than a shop makes of one order. */
const SHIPMENTS_PER_ORDER = 100;

/** Reads the first page of the orders that match, lowest id first. */
export function searchOrders(context: ShopContext, search: Search): Promise<SearchAnswer> {
  const call: ShopCall = { operation: 'orders.list', method: 'GET', path: 'orders', query: criteriaOf(search) };
  return callShop(context, call, SearchAnswer);
}

export function getOrder(context: ShopContext, id: string): Promise<Order> {
  return callShop(context, { operation: 'orders.get', method: 'GET', path: `orders/${encode(id)}` }, Order);
}

export async function listShipments(context: ShopContext, orderId: number): Promise<LookUp<Shipment>> {
  const filters: Filter[] = [{ field: 'order_id', condition: 'eq', value: orderId }];
  const query = criteriaOf({ filters, pageSize: SHIPMENTS_PER_ORDER });
  const call: ShopCall = { operation: 'shipments.list', method: 'GET', path: 'shipments', query };
  const { items: raws } = await callShop(context, call, ShipmentList);
  return readLookUp(context.log, 'shipments', { schema: Shipment, raws });
}

/** Makes a shipment and returns its id. */
export function shipOrder(context: ShopContext, orderId: number, body: object): Promise<string> {
  return callShop(
    context,
    { operation: 'order.ship', method: 'POST', path: `order/${orderId}/ship`, body },
    ShipmentId,
  );
}

/** Puts one more number on a shipment. */
export async function addTrack(
  context: ShopContext,
  shipment: Shipment,
  track: Carrier & { order_id: number; track_number: string },
): Promise<void> {
  const entity = {
    ...track,
    parent_id: shipment.entity_id,
    weight: shipment.total_weight,
    qty: shipment.total_qty,
    description: track.title,
  };
  const call: ShopCall = { operation: 'shipment.track', method: 'POST', path: 'shipment/track', body: { entity } };
  await callShop(context, call, Identified);
}

/** Takes a number off a shipment (official description of 2.4.9, read 2026-11-22); the answer is `true`. */
export async function deleteTrack(context: ShopContext, id: number): Promise<void> {
  await callShop(
    context,
    { operation: 'shipment-track.delete', method: 'DELETE', path: `shipment/track/${id}` },
    Deleted,
  );
}

function criteriaOf({ filters, pageSize }: Search): Record<string, string> {
  const groups = filters.flatMap(({ field, condition, value }, group) => {
    const filter = `searchCriteria[filter_groups][${group}][filters][0]`;
    return [
      [`${filter}[field]`, field],
      [`${filter}[value]`, String(value)],
      [`${filter}[condition_type]`, condition],
    ];
  });
  return {
    ...Object.fromEntries(groups),
    'searchCriteria[sortOrders][0][field]': 'entity_id',
    'searchCriteria[sortOrders][0][direction]': 'ASC',
    'searchCriteria[pageSize]': String(pageSize),
    'searchCriteria[currentPage]': '1',
  };
}

/** Sends one authorised call and reads its answer. Throws refusals in the closed vocabulary. */
async function callShop<Data>(context: ShopContext, request: ShopCall, answer: z.ZodType<Data>): Promise<Data> {
  const { account } = context;
  const { operation, method, path, query = {}, body } = request;
  const call = { operation, effect: method === 'GET' ? 'read' : 'write' } as const;
  const url = `${account.url.replace(/\/+$/, '')}/rest/${account.storeCode}/V1/${path}`;
  const asked = Object.entries(query).map(([name, value]) => `${encode(name)}=${encode(value)}`);
  const response = await sendJson(context.http, refusals, {
    ...call,
    method,
    url: [url, ...(asked.length > 0 ? [asked.join('&')] : [])].join('?'),
    headers: {
      'content-type': 'application/json',
      authorization: authorize(account, { method, url, query, now: context.now() }),
    },
    body,
  });
  return readAnswer(refusals, { call, response }, { answer, status: call.effect === 'write' ? 200 : undefined });
}
