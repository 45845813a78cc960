import { type Request, type RequestHandler, Router } from 'express';
import type { SandboxPartner, SandboxWorld } from '../../partner.ts';
import { type Shown, sendError, sendList, sendRow } from './answers.ts';
import { requireKey } from './auth.ts';
import { PrestashopBooks, type ShopState } from './books.ts';
import { selectRows } from './lists.ts';
import { RESOURCES } from './tables.ts';
import { createOrderHistory, updateOrderCarrier } from './writes.ts';

const PATH = /^\/api\/(\w+)(\/[^/]+)?\/?$/;
const ON_LIST: Readonly<Record<string, string>> = { GET: 'list', POST: 'create' };
const ON_ROW: Readonly<Record<string, string>> = { GET: 'get', PUT: 'update', PATCH: 'patch' };

/**
 * Creates a simulated PrestaShop; docs/sandbox.md lists its keys. Beside the protocol it takes orders at `_seed/orders` and shows
 * the mails it sent at `_mails`.
 */
export function createPrestashopSandbox(world: SandboxWorld): SandboxPartner {
  const books = new PrestashopBooks(world);
  const router = Router();
  router.get('/api/:resource', requireKey, knownResource, (request, response) => {
    const { resource, element, fields } = resourceOf(request);
    const selection = selectRows(books.table(resource), request.query, fields);
    if ('invalid' in selection)
      return sendError(request, response, { status: 400, code: 123, message: selection.invalid });
    const { rows, shown } = selection;
    sendList(request, response, { resource, element, rows: rows.map((row) => pick(row, shown)) });
  });
  router.get('/api/:resource/:id', requireKey, knownResource, (request, response) => {
    const { resource, element, fields } = resourceOf(request);
    const row = books.find(resource, request.params.id);
    if (!row) return void response.status(404).end();
    sendRow(request, response, { status: 200, element, row: pick(row, fields) });
  });
  for (const method of ['put', 'patch'] as const) {
    router[method]('/api/:resource/:id', requireKey, knownResource, only('order_carriers'), updateOrderCarrier(books));
  }
  router.post('/api/:resource', requireKey, knownResource, only('order_histories'), createOrderHistory(books));
  router.post('/_seed/orders', (request, response) => {
    response.status(201).json(books.addOrder(JSON.parse(request.body)));
  });
  router.get('/_mails', (_request, response) => void response.json(books.state.mails));

  return {
    id: 'prestashop',
    operationOf: ({ method, path }) => operationOf(method, path),
    router,
    ledger: () => books.ledger(),
    save: () => books.state,
    load(state) {
      books.state = state as ShopState;
    },
  };
}

function operationOf(method: string, path: string): string | null {
  const [, resource = '', row] = PATH.exec(path) ?? [];
  const verb = (row === undefined ? ON_LIST : ON_ROW)[method];
  return RESOURCES[resource] && verb ? `${resource}.${verb}` : null;
}

const knownResource: RequestHandler = (request, response, next) => {
  const { resource } = request.params;
  if (RESOURCES[String(resource)]) return next();
  const message = `Resource of type "${String(resource)}" does not exists. Did you mean: "orders"?`;
  sendError(request, response, { status: 400, code: 27, message });
};

/** The pretend shop writes two resources; a real one writes most of them. */
function only(writable: string): RequestHandler {
  return (request, response, next) => {
    const { resource } = request.params;
    if (resource === writable) return next();
    const message = `Method ${request.method} not allowed for ${String(resource)}`;
    sendError(request, response, { status: 405, code: 101, message });
  };
}

function resourceOf(request: Request): { resource: string; element: string; fields: readonly string[] } {
  const resource = String(request.params.resource);
  return { resource, ...(RESOURCES[resource] ?? { element: '', fields: [] }) };
}

function pick(row: Record<string, unknown>, fields: readonly string[]): Shown {
  return Object.fromEntries(fields.map((field) => [field, (row[field] ?? '') as Shown[string]]));
}
