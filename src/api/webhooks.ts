import { type NextFunction, type Request, type Response, Router, raw } from 'express';
import { z } from 'zod';
import { Problem } from '../lib/errors.ts';
import { answerChallenge, receiveWebhook } from '../usecases/marketplaces/receive-webhook.ts';
import type { ApiDeps } from './http/route.ts';
import { IdText } from './http/schemas.ts';

const MAX_BODY = '1mb';
const Params = z.object({ id: IdText });

/** Receives webhooks of marketplaces at `/webhooks/{id}` of a connection. Their signature authenticates them. */
export function webhooksRouter(deps: ApiDeps): Router {
  const router = Router();
  router.use((_request, response, next) => {
    response.locals.route = '/webhooks/{id}';
    next();
  });
  router.get('/:id', (request, response, next) => {
    challenge(deps, request, response).catch(next);
  });
  router.post('/:id', raw({ type: () => true, limit: MAX_BODY }), (request, response, next) => {
    receive(deps, request, response).catch(next);
  });
  router.use((_request: Request, _response: Response, next: NextFunction) => next(refused()));
  return router;
}

async function receive(deps: ApiDeps, request: Request, response: Response): Promise<void> {
  const body: Buffer = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
  const { requestId } = response.locals as { requestId: string };
  const isTaken = await receiveWebhook(deps, { connectionId: idOf(request), delivery: { headers, body }, requestId });
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
