import type { Request, Response } from 'express';
import { LANGUAGES, type Language } from '../../domain/tracking-presentation.ts';
import { seeingCompanies } from '../../lib/visible-companies.ts';
import { noteAnswered, noteAsked } from './audit.ts';
import { requireScope } from './gate.ts';
import { type IdempotencyStore, once, type StoredReply } from './idempotency.ts';
import { pointHeaders } from './points.ts';
import { readRequest, waitMsOf } from './read-request.ts';
import { type ApiDeps, isWrite, type Reply, type Route } from './route.ts';
import { send } from './send.ts';

export interface ServeOptions {
  deps: ApiDeps;
  waitSeconds: number;
  idempotency: IdempotencyStore;
}

/** Answers one request of a route. Throws a `Problem` for a refusal. */
export async function serve(options: ServeOptions, route: Route, request: Request, response: Response): Promise<void> {
  requireScope(response, route.scope);
  // The link of a document names no company.
  if (route.access === 'signature') return answerWhole(options, route, { request, response });
  const companyId = response.locals.companyId as number;
  return seeingCompanies([companyId], () =>
    route.isBatched
      ? answerWhole(options, route, { request, response })
      : answerWithPermit(options, route, { request, response }),
  );
}

async function answerWhole(
  options: ServeOptions,
  route: Route,
  { request, response }: { request: Request; response: Response },
): Promise<void> {
  await send(response, await answer(options, route, { request, response }), options.deps.log);
}

async function answerWithPermit(
  options: ServeOptions,
  route: Route,
  { request, response }: { request: Request; response: Response },
): Promise<void> {
  const { deps } = options;
  const release = await deps.permits.acquire(response.locals.companyId as number);
  try {
    const own = { ...options, deps: releasedByWaiting(deps, release) };
    const reply = await answer(own, route, { request, response });
    // A stream is still being read from the database. Any other answer is complete, and a slow client must not keep the permit.
    if (!isStreamed(reply)) release();
    await send(response, reply, deps.log);
  } finally {
    release();
  }
}

function isStreamed(reply: Reply | StoredReply): boolean {
  return 'file' in reply && reply.file !== undefined && !Buffer.isBuffer(reply.file.content);
}

/**
 * Gives the permit back when a request waits for a partner, which may take half a minute. It does not take it again: what
 * is left is to read the result, and a request may wait for several partners at once.
 */
function releasedByWaiting(deps: ApiDeps, release: () => void): ApiDeps {
  return {
    ...deps,
    waitForOperation(...asked) {
      release();
      return deps.waitForOperation(...asked);
    },
  };
}

async function answer(
  options: ServeOptions,
  route: Route,
  { request, response }: { request: Request; response: Response },
): Promise<Reply | StoredReply> {
  const { deps } = options;
  const companyId = response.locals.companyId as number;
  const raw = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  const read = readRequest(route, request, raw);
  noteAsked(request, route.path, read);
  requireScope(response, route.alsoNeeds?.({ query: read.query }) ?? null);
  if (read.ignored.length > 0) {
    response.set(
      'X-Ignored-Fields',
      read.ignored
        .map((field) => encodeURI(field.toWellFormed()))
        .join(', ')
        .slice(0, 2000),
    );
  }
  const upload = route.upload ? raw : Buffer.alloc(0);
  const cost = route.points?.({ query: read.query, body: read.body, upload }) ?? 1;
  if (cost > 1) {
    const balance = await deps.points.spend(companyId, cost, { paid: 1 });
    if (balance) response.set(pointHeaders(balance));
  }
  const requestId = response.locals.requestId as string;
  const waitMs = waitMsOf(request.get('Prefer'), options.waitSeconds);
  const { params, query, body, given } = read;
  const ifMatch = request.get('If-Match');
  const reply = await once(
    options.idempotency,
    { request, response, raw, companyId },
    {
      run: (claim) => {
        const origin = { companyId, requestId, once: claim };
        return route.handle(deps, {
          companyId,
          requestId,
          params,
          query,
          body,
          given,
          upload,
          ifMatch,
          waitMs,
          origin,
          preferred: (types) => request.accepts([...types]) || null,
          // A getter, because few routes use it and finding it is slow.
          get language() {
            return (request.acceptsLanguages([...LANGUAGES]) || 'it') as Language;
          },
        });
      },
      recover: async (resultId) => {
        if (!route.recover) throw new Error(`${route.path} made something and cannot answer for it`);
        return route.recover(deps, { companyId, waitMs }, resultId);
      },
    },
  );
  if (isWrite(route)) noteAnswered(request, route.path, reply);
  return reply;
}
