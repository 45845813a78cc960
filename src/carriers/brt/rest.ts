import { z } from 'zod';
import { IntegrationError } from '../../lib/errors.ts';
import type { HttpResponse } from '../../lib/http.ts';
import { classifyStatus } from '../../lib/http.ts';
import type { CarrierContext } from '../adapter.ts';
import { listOf } from '../fields.ts';
import { failureOf, type Operation, PROVIDER, worstOf } from './codes.ts';
import { type Account, ExecutionMessage } from './schema.ts';

const HOST = 'https://api.brt.it';

interface ShipmentsCall {
  operation: keyof typeof OPERATIONS;
  body: Record<string, unknown>;
  timeoutMs?: number;
}

const OPERATIONS = {
  create: { effect: 'write', method: 'POST', path: '/shipment', root: 'createResponse' },
  confirm: { effect: 'write', method: 'PUT', path: '/shipment', root: 'confirmResponse' },
  delete: { effect: 'write', method: 'PUT', path: '/delete', root: 'deleteResponse' },
  routing: { effect: 'read', method: 'PUT', path: '/routing', root: 'routingResponse' },
} as const;

export function apiUrl({ baseUrl }: Account): string {
  return baseUrl ?? HOST;
}

export interface Answer {
  operation: Operation;
  root: unknown;
  messages: ExecutionMessage[];
}

/** Calls one operation of the shipments service; the message, also a bad one, is for the caller to read. */
export async function callShipments(context: CarrierContext<Account>, call: ShipmentsCall): Promise<Answer> {
  const { effect, method, path, root } = OPERATIONS[call.operation];
  const response = await context.http.send({
    operation: call.operation,
    effect,
    method,
    url: `${apiUrl(context.account)}/rest/v1/shipments${path}`,
    headers: { 'content-type': 'application/json; charset=utf-8', accept: 'application/json' },
    body: JSON.stringify(call.body),
    accept: [500],
    ...(call.timeoutMs === undefined ? {} : { timeoutMs: call.timeoutMs }),
  });
  if (response.status === 500) throw htmlFailure(response, call.operation);
  // BRT answers with 200, whatever it says: anything else is the answer of something in between.
  if (response.status !== 200) throw new Error(`${response.status} is no answer`);
  return readAnswer(response.body, { operation: call.operation, root });
}

/** Reads the root element and its messages, which BRT writes as one object or as an array. */
export function readAnswer(body: Buffer, { operation, root }: { operation: Operation; root: string }): Answer {
  const document = z.record(z.string(), z.unknown()).parse(JSON.parse(body.toString('utf8')));
  const inside = z.record(z.string(), z.unknown()).parse(document[root] ?? document);
  const messages = listOf(ExecutionMessage).parse(inside.executionMessage ?? document.executionMessage);
  if (messages.length === 0) throw new Error('The answer has no executionMessage');
  return { operation, root: inside, messages };
}

/** Throws when BRT says that it was not done. */
export function refuseBad({ operation, messages }: Answer): void {
  const worst = worstOf(messages);
  if (worst && worst.code < 0) throw failureOf(worst, operation);
}

const CODE_ELEMENT = /<(\w+)\b[^>]*\bid\s*=\s*["']?code["']?[^>]*>\s*(-\d+)\s*<\/\1>/i;

/** BRT answers a body it cannot read with a page of which an element with the id `code` holds the code. */
function htmlFailure({ status, body }: HttpResponse, operation: keyof typeof OPERATIONS): IntegrationError {
  const page = body.toString('utf8');
  const [, , code] = CODE_ELEMENT.exec(page) ?? [];
  if (code !== undefined) {
    const words = page
      .replace(/<(script|style)\b[\s\S]*?<\/\1>|<[^>]*>/gi, ' ')
      .replace(/\s+/g, ' ')
      .trim();
    return failureOf({ code: Number(code), codeDesc: '', message: words.slice(0, 300) }, operation);
  }
  return new IntegrationError(`${PROVIDER} answered ${status} to ${operation}`, {
    kind: classifyStatus(status, OPERATIONS[operation].effect),
    provider: PROVIDER,
    code: 'partner-broken',
    status,
    body: page,
  });
}
