import { type NextFunction, type Request, type Response, Router } from 'express';
import { z } from 'zod';
import { Problem } from '../lib/errors.ts';
import { answerChallenge, receiveWebhook } from '../usecases/marketplaces/receive-webhook.ts';
import { BodyGate, cutOffAfterAnswer } from './http/body-gate.ts';
import type { ApiDeps } from './http/route.ts';
import { IdText } from './http/schemas.ts';

/** Anyone can reach this address, so the memory of all senders together is bounded. */
const LIMITS = { bytes: 1024 * 1024, ms: 10_000, requests: 200, totalBytes: 32 * 1024 * 1024 };
const Params = z.object({ id: IdText });

/** Receives webhooks of marketplaces at `/webhooks/{id}` of a connection. Their signature authenticates them. */
export function webhooksRouter(deps: ApiDeps): Router {
  const router = Router();
  const gate = new BodyGate(LIMITS);
  router.use((request, response, next) => {
    response.locals.route = '/webhooks/{id}';
    response.once('finish', () => cutOffAfterAnswer(request));
    next();
  });
  router.get('/:id', (request, response, next) => {
    challenge(deps, request, response).catch(next);
  });
  router.post('/:id', (request, response, next) => {
    gate.admit(request, (readBody) => receive(deps, { request, response, readBody })).catch(next);
  });
  router.use((_request: Request, _response: Response, next: NextFunction) => next(refused()));
  return router;
}

async function receive(
  deps: ApiDeps,
  { request, response, readBody }: { request: Request; response: Response; readBody: () => Promise<Buffer> },
): Promise<void> {
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
  const { requestId } = response.locals as { requestId: string };
  const readDelivery = async () => ({ headers, body: await readBody() });
  const isTaken = await receiveWebhook(deps, { connectionId: idOf(request), readDelivery, requestId });
  if (!isTaken) throw refused();
  response.status(200).json({ status: 'taken' });
}

async function challenge(deps: ApiDeps, request: Request, response: Response): Promise<void> {
  const connectionId = idOf(request);
  const query = Object.fromEntries(Object.entries(request.query).map(([name, value]) => [name, String(value)]));
  const url = `${deps.settings.publicUrl}/webhooks/${connectionId}`;
  const { requestId } = response.locals as { requestId: string };
  const answer = await answerChallenge(deps, { connectionId, query, url, requestId });
  if (!answer) throw refused();
  response.json(answer);
}

function idOf(request: Request): number {
  const parsed = Params.safeParse(request.params);
  if (!parsed.success) throw refused();
  return parsed.data.id;
}

/** One answer for a wrong signature and for an unknown connection, so that neither can be probed. */
function refused(): Problem {
  return new Problem('The signature is not that of a connected marketplace', {
    status: 401,
    code: 'signature-refused',
    title: 'Unauthorized',
  });
}
