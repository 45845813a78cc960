import { type Request, type Response, Router } from 'express';
import { confirmationsOf } from '../../order-partner.ts';
import type { LedgerEntry, SandboxPartner, SandboxWorld } from '../../partner.ts';
import { type Caller, callerOf, grantToken, readJson } from './access.ts';
import { ShopBooks, type ShopState, type StoredOrder } from './books.ts';
import { faultsOf, faultsOfVariables, flat } from './graphql-check.ts';
import { type Document, parseDocument, SyntaxFault } from './graphql-parse.ts';
import { actualCost, costOf, select } from './graphql-run.ts';
import { Points } from './points.ts';
import { RequestFault } from './request-fault.ts';
import type { PartialOrder } from './seeds.ts';
import { mutationRoot, queryRoot } from './shop.ts';

const MAX_QUERY_COST = 1000;
const BAD_TOKEN = '[API] Invalid API key or access token (unrecognized login or wrong password)';

/**
 * Creates one simulated shop behind the Admin GraphQL interface. Tokens begin with `shpat_sandbox`. Beside the protocol it takes
 * orders at `_seed/orders`, changes them at `_seed/orders/<number>`, and shows the mails it sent at `_mails`.
 */
export function createShopifySandbox(world: SandboxWorld): SandboxPartner {
  const books = new ShopBooks(world);
  const points = new Points(() => world.now().getTime());
  const router = Router();
  router.post('/admin/oauth/access_token', (request, response) => grantToken(books, request, response));
  router.post('/admin/api/:version/graphql.json', (request, response) => {
    const caller = callerOf(books, request);
    if (caller) response.json(answer(books, points, { caller, ...readQuestion(request.body) }));
    else response.status(401).json({ errors: BAD_TOKEN });
  });
  addSeeds(router, { books, points });
  return {
    id: 'shopify',
    operationOf: ({ path, body }) => operationOf(path, body),
    router,
    ledger: () => books.state.orders.map(ledgerOf),
    save: () => books.state,
    load(state) {
      books.state = state as ShopState;
    },
  };
}

function addSeeds(router: Router, { books, points }: { books: ShopBooks; points: Points }): void {
  router.post('/_seed/orders', (request, response) => {
    const { id, name } = books.addOrder(readJson(request.body) as PartialOrder);
    response.status(201).json({ id, name });
  });
  router.post('/_seed/orders/:id', (request: Request, response: Response) => {
    const order = books.state.orders.find(({ id }) => String(id) === request.params.id);
    if (!order) return void response.status(404).json({ error: 'no such order' });
    const { cancel, route, fulfillmentStatus, holds } = readJson(request.body);
    if (cancel === true) books.cancel(order);
    if (route === true) books.route(order);
    if (typeof fulfillmentStatus === 'string') {
      books.setFulfillmentStatus(order, fulfillmentStatus, Array.isArray(holds) ? holds.map(String) : []);
    }
    response.json({ id: order.id, name: order.name });
  });
  router.post('/_seed/points', (request, response) => {
    const { token, left } = readJson(request.body);
    points.set(String(token), Number(left));
    response.status(204).end();
  });
  router.delete('/_seed/tokens', (_request, response) => {
    books.state.tokens = [];
    response.status(204).end();
  });
  router.get('/_mails', (_request, response) => void response.json(books.state.mails));
}

interface Question {
  query: string;
  variables: Record<string, unknown>;
}

function readQuestion(body: string): Question {
  const { query, variables } = readJson(body);
  return { query: String(query ?? ''), variables: (variables ?? {}) as Record<string, unknown> };
}

/** The token's login, or the first field that is asked for. */
function operationOf(path: string, body: string): string | null {
  if (path === '/admin/oauth/access_token') return 'token';
  if (!/^\/admin\/api\/[^/]+\/graphql\.json$/.test(path)) return null;
  try {
    const document = parseDocument(readQuestion(body).query);
    return flat(document.selections, document)[0]?.name ?? 'graphql';
  } catch {
    return 'graphql';
  }
}

/** Everything is answered with 200: what is wrong is in `errors`. */
function answer(books: ShopBooks, points: Points, question: Question & { caller: Caller }): object {
  const { caller, variables } = question;
  let document: Document;
  try {
    document = parseDocument(question.query);
  } catch (error) {
    if (!(error instanceof SyntaxFault)) throw error;
    return { errors: [{ message: error.message, extensions: { code: 'PARSE_ERROR' } }] };
  }
  const inDocument = faultsOf(document);
  const faults = inDocument.length > 0 ? inDocument : faultsOfVariables(document, variables);
  if (faults.length > 0) return { errors: faults };
  const requestedQueryCost = costOf({ document, variables });
  if (requestedQueryCost > MAX_QUERY_COST) return tooExpensive(requestedQueryCost);
  if (!points.take(caller.token, requestedQueryCost)) {
    const extensions = {
      cost: { requestedQueryCost, actualQueryCost: null, throttleStatus: points.statusOf(caller.token) },
    };
    return { errors: [{ message: 'Throttled', extensions: { code: 'THROTTLED' } }], extensions };
  }
  const result = run(books, { ...question, document });
  const actualQueryCost = document.kind === 'mutation' ? requestedQueryCost : Math.min(requestedQueryCost, result.cost);
  points.giveBack(caller.token, requestedQueryCost - actualQueryCost);
  const cost = { requestedQueryCost, actualQueryCost, throttleStatus: points.statusOf(caller.token) };
  return { ...result.body, extensions: { cost } };
}

function tooExpensive(cost: number): object {
  const message = `Query cost is ${cost}, which exceeds the single query max cost limit (${MAX_QUERY_COST}).`;
  return { errors: [{ message, extensions: { code: 'MAX_COST_EXCEEDED', cost, maxCost: MAX_QUERY_COST } }] };
}

function run(
  books: ShopBooks,
  { document, variables, caller }: Question & { document: Document; caller: Caller },
): { body: object; cost: number } {
  const root = document.kind === 'query' ? queryRoot(books, caller) : mutationRoot(books, caller);
  try {
    const data = select(root, document.selections, { document, variables });
    // The root itself is free.
    return { body: { data }, cost: actualCost(data) - 1 };
  } catch (error) {
    if (!(error instanceof RequestFault)) throw error;
    const names = flat(document.selections, document).map(({ alias }) => [alias, null]);
    const { message, extensions, path } = error;
    const data = error.extensions.code === 'ACCESS_DENIED' ? { data: Object.fromEntries(names) } : {};
    return { body: { ...data, errors: [{ message, extensions, ...(path ? { path } : {}) }] }, cost: 0 };
  }
}

/** Lists what the shop was told about each order. */
function ledgerOf({ name, fulfillments }: StoredOrder): LedgerEntry {
  const live = fulfillments.filter(({ status }) => status !== 'CANCELLED');
  return confirmationsOf(name, {
    confirmed: live.length,
    cancelled: fulfillments.length - live.length,
    trackingNumbers: live.flatMap(({ trackingInfo }) => trackingInfo.flatMap(({ number }) => number ?? [])),
  });
}
