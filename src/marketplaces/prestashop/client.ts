import { z } from 'zod';
import type { MarketplaceContext } from '../adapter.ts';
import { type JsonRequest, readAnswer, sendJson } from '../json-client.ts';
import { type LookUp, readLookUp } from '../look-up.ts';
import type { Account } from './account.ts';
import { parseJson, refusals } from './refusals.ts';
import { Id } from './schema.ts';
import { documentOf } from './xml.ts';

export type ShopContext = MarketplaceContext<Account>;

/** Ids in one filter: far below the length of an address that every web server takes. */
const IDS_PER_CALL = 100;

/** An empty list is `[]`, without the name of the resource. */
const Rows = (resource: string) =>
  z.union([
    z.object({ [resource]: z.array(z.unknown()) }).transform((answer) => answer[resource] ?? []),
    z.array(z.unknown()).length(0),
  ]);

/** Lists the rows that have the shape; the query holds filters, `display`, `sort` and `limit`. */
export async function listRows<Row extends z.ZodType>(
  context: ShopContext,
  call: { resource: string; query: Record<string, string> },
  row: Row,
): Promise<z.infer<Row>[]> {
  return (await lookUpRows(context, call, row)).elements;
}

/** Does the same, and counts the rows that could not be read. */
async function lookUpRows<Row extends z.ZodType>(
  context: ShopContext,
  { resource, query }: { resource: string; query: Record<string, string> },
  row: Row,
): Promise<LookUp<z.infer<Row>>> {
  const raws = await send(
    context,
    {
      operation: `${resource}.list`,
      effect: 'read',
      method: 'GET',
      url: addressOf(context.account, resource, { display: 'full', ...query }),
    },
    Rows(resource),
  );
  return readLookUp(context.log, resource, { schema: row, raws });
}

/** Lists the rows whose field has one of the ids, by one question for each 100 of them. */
export async function listByIds<Row extends z.ZodType>(
  context: ShopContext,
  call: { resource: string; field: string; ids: Iterable<string>; display?: string },
  row: Row,
): Promise<z.infer<Row>[]> {
  return (await lookUpByIds(context, call, row)).elements;
}

/** Does the same, and counts the rows that could not be read. */
export async function lookUpByIds<Row extends z.ZodType>(
  context: ShopContext,
  call: { resource: string; field: string; ids: Iterable<string>; display?: string },
  row: Row,
): Promise<LookUp<z.infer<Row>>> {
  const wanted = [...new Set(call.ids)].filter((id) => /^[1-9]\d*$/.test(id));
  const found: LookUp<z.infer<Row>> = { elements: [], unreadable: 0 };
  for (let at = 0; at < wanted.length; at += IDS_PER_CALL) {
    const ids = wanted.slice(at, at + IDS_PER_CALL).join('|');
    const query = { [`filter[${call.field}]`]: `[${ids}]`, ...(call.display ? { display: call.display } : {}) };
    const { elements, unreadable } = await lookUpRows(context, { resource: call.resource, query }, row);
    found.elements.push(...elements);
    found.unreadable += unreadable;
  }
  return found;
}

export interface RowWrite {
  method: 'POST' | 'PUT' | 'PATCH';
  resource: string;
  /** The resource's name in the singular. */
  element: string;
  /** Absent for a new row. */
  id?: string;
  fields: Record<string, string>;
  /** True: the customer is not told. */
  isSilent?: boolean;
}

const VERBS = { POST: 'create', PUT: 'update', PATCH: 'patch' } as const;

/**
 * Writes one row, has the shop mail the customer about it, and returns its id. A change answers with the id of its
 * row.
 */
export async function writeRow(context: ShopContext, write: RowWrite): Promise<string> {
  const { method, resource, element, id, fields, isSilent = false } = write;
  const path = id === undefined ? resource : `${resource}/${id}`;
  const answer = z
    .object({ [element]: z.object({ id: Id }) })
    .transform((written) => written[element]?.id ?? '')
    .refine((written) => id === undefined || written === id);
  return send(
    context,
    {
      operation: `${resource}.${VERBS[method]}`,
      effect: 'write',
      method,
      url: addressOf(context.account, path, { sendemail: isSilent ? '0' : '1' }),
      body: documentOf(element, fields),
    },
    answer,
  );
}

function addressOf(account: Account, path: string, query: Record<string, string>): string {
  const url = new URL(`${account.url.replace(/\/+$/, '')}/api/${path}`);
  if (account.shopId !== undefined) url.searchParams.set('id_shop', String(account.shopId));
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  url.searchParams.set('output_format', 'JSON');
  return url.href.replaceAll('+', '%20');
}

/** Sends one authorised call and reads its answer. Throws refusals in the closed vocabulary. */
async function send<Data>(context: ShopContext, request: JsonRequest, answer: z.ZodType<Data>): Promise<Data> {
  const headers = {
    authorization: `Basic ${Buffer.from(`${context.account.key}:`).toString('base64')}`,
    ...(request.body === undefined ? {} : { 'content-type': 'text/xml; charset=utf-8' }),
  };
  const response = await sendJson(context.http, refusals, { ...request, headers });
  const written = request.method === 'POST' ? 201 : 200;
  const status = request.effect === 'write' ? written : undefined;
  return readAnswer(refusals, { call: request, response }, { answer, status, parse: parseJson });
}
