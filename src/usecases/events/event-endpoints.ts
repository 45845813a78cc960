import { UniqueConstraintViolationException } from '@mikro-orm/core';
import { EventDelivery, EventEndpoint } from '../../db/entities/index.ts';
import { companyEm, type Em } from '../../db/orm.ts';
import { drawIds } from '../../db/queries/draw-ids.ts';
import { numberEvents } from '../../db/queries/number-events.ts';
import type { EventType } from '../../domain/event-types.ts';
import type { Deps } from '../../engine/deps.ts';
import { conflict, notFound, unprocessable } from '../../engine/find.ts';
import { markMade, type Origin } from '../../engine/idempotency.ts';
import { IntegrationError, type Problem } from '../../lib/errors.ts';
import { urlFault } from '../../lib/public-address.ts';
import { activeSecrets, type EventSecrets, endpointSeal, newEventSecret } from './event-secrets.ts';

/** An endpoint with the number of its secrets and the company's last event. */
export interface EndpointView {
  endpoint: EventEndpoint;
  secretCount: number;
  lastSequence: number;
}

/** An `EndpointView` with the new secret, which is shown only once. */
export interface EndpointWithSecret extends EndpointView {
  secret: string;
}

export interface NewEndpoint {
  url: string;
  /** Absent: made up. */
  key: string | null;
  /** Null: all types. */
  types: EventType[] | null;
  /** Absent: made up. */
  secret: string | null;
}

/** Limit per company, because the same workers serve all endpoints. */
const MAX_ENDPOINTS = 20;
const OLD_SECRET_MS = 24 * 3_600_000;

/** Creates an event endpoint, which gets all later events. */
export async function createEndpoint(deps: Deps, input: Origin & { wish: NewEndpoint }): Promise<EndpointWithSecret> {
  const { companyId, wish } = input;
  const fault = urlFault(wish.url, { allowPrivate: deps.settings.eventsAllowPrivate });
  if (fault) throw unfit('/url', fault);
  const em = companyEm(deps.orm, companyId);
  const secret = wish.secret ?? newEventSecret();
  const lastSequence = await numberEvents(em, companyId);
  try {
    return await em.transactional(async (tx) => {
      if ((await tx.count(EventEndpoint, {})) >= MAX_ENDPOINTS) {
        throw unprocessable(`A company has at most ${MAX_ENDPOINTS} event endpoints`);
      }
      const [id = 0] = await drawIds(tx, 'event_endpoints', 1);
      const credentials = deps.vault.seal({ secrets: [secret] } satisfies EventSecrets, endpointSeal(id));
      const fields = {
        id,
        companyId,
        key: wish.key ?? `endpoint-${id}`,
        url: wish.url,
        types: wish.types,
        credentials,
      };
      await tx.insert(EventEndpoint, { ...fields, deliveredSequence: lastSequence });
      await markMade(tx, input.once, id);
      return { endpoint: await tx.findOneOrFail(EventEndpoint, id), secretCount: 1, lastSequence, secret };
    });
  } catch (error) {
    if (error instanceof UniqueConstraintViolationException) throw unfit('/key', 'is the key of another endpoint');
    throw error;
  }
}

function unfit(pointer: string, message: string): Problem {
  return unprocessable('The event endpoint is invalid', [{ pointer, message }]);
}

/** Lists the endpoints of a company, oldest first. */
export async function listEndpoints(deps: Deps, companyId: number): Promise<EndpointView[]> {
  const em = companyEm(deps.orm, companyId);
  const lastSequence = await numberEvents(em, companyId);
  const endpoints = await em.find(EventEndpoint, {}, { orderBy: { id: 'asc' } });
  return endpoints.map((endpoint) => viewOf(deps, endpoint, lastSequence));
}

export async function readEndpoint(
  deps: Deps,
  input: { companyId: number; endpointId: number },
): Promise<EndpointView> {
  const em = companyEm(deps.orm, input.companyId);
  const endpoint = await em.findOne(EventEndpoint, input.endpointId);
  if (!endpoint) throw notFound('event endpoint');
  return viewOf(deps, endpoint, await numberEvents(em, input.companyId));
}

function viewOf(deps: Deps, endpoint: EventEndpoint, lastSequence: number): EndpointView {
  return { endpoint, secretCount: readableSecrets(deps, endpoint).length, lastSequence };
}

/** Deletes an endpoint and its deliveries. The events stay. */
export async function deleteEndpoint(
  deps: Pick<Deps, 'orm'>,
  input: { companyId: number; endpointId: number },
): Promise<void> {
  const { companyId, endpointId: id } = input;
  const deleted = await companyEm(deps.orm, companyId).nativeDelete(EventEndpoint, { id, companyId });
  if (deleted === 0) throw notFound('event endpoint');
}

/** Adds a new secret. The previous one also signs for one day. */
export async function rotateSecret(deps: Deps, input: Origin & { endpointId: number }): Promise<EndpointWithSecret> {
  const secret = newEventSecret();
  const view = await change(deps, input, async (tx, endpoint) => {
    const [current] = readableSecrets(deps, endpoint);
    const secrets = current === undefined ? [secret] : [secret, current];
    await markMade(tx, input.once, endpoint.id);
    return {
      credentials: deps.vault.seal({ secrets } satisfies EventSecrets, endpointSeal(endpoint.id)),
      previousSecretUntil: new Date(deps.now().getTime() + OLD_SECRET_MS),
    };
  });
  return { ...view, secret };
}

/** Returns no secrets when they were encrypted with a lost key. The deliveries report that, and a rotation repairs it. */
function readableSecrets(deps: Deps, endpoint: EventEndpoint): string[] {
  try {
    return activeSecrets(deps.vault, endpoint, deps.now());
  } catch (error) {
    if (error instanceof IntegrationError) return [];
    throw error;
  }
}

/** Enables an endpoint: deliveries resume where they stopped, or after a given event. Cancels a running replay. */
export async function enableEndpoint(
  deps: Deps,
  input: { companyId: number; endpointId: number; after: number | null },
): Promise<EndpointView> {
  const { after } = input;
  return change(deps, input, async (_tx, endpoint, last) => {
    if (after !== null && after > last) throw unfit('/after', `The last event is ${last}`);
    const isMoved = after !== null || endpoint.replayFrom !== null;
    const { fence } = isMoved ? overtaken(endpoint) : endpoint;
    return { ...FRESH, fence, deliveredSequence: after ?? endpoint.deliveredSequence };
  });
}

/**
 * Changes the URL or the types of an endpoint, from the next event on. A new URL starts again and cancels a running replay,
 * unless the owner has disabled the endpoint.
 */
export async function updateEndpoint(
  deps: Deps,
  input: { companyId: number; endpointId: number; url?: string | undefined; types?: EventType[] | null | undefined },
): Promise<EndpointView> {
  const { url, types } = input;
  const fault = url === undefined ? null : urlFault(url, { allowPrivate: deps.settings.eventsAllowPrivate });
  if (fault) throw unfit('/url', fault);
  return change(deps, input, async (_tx, endpoint) => {
    const isMoved = url !== undefined && url !== endpoint.url;
    const startsAgain = isMoved && endpoint.disabledReason !== 'switched-off';
    return {
      ...(startsAgain ? FRESH : {}),
      ...overtaken(endpoint),
      ...(url === undefined ? {} : { url }),
      ...(types === undefined ? {} : { types }),
    };
  });
}

/** Disables an endpoint until it is enabled. A running delivery ends, and a running replay is cancelled. */
export async function disableEndpoint(
  deps: Deps,
  input: { companyId: number; endpointId: number },
): Promise<EndpointView> {
  return change(deps, input, async (_tx, endpoint) => ({
    ...FRESH,
    ...overtaken(endpoint),
    isEnabled: false,
    disabledAt: endpoint.disabledReason === 'switched-off' ? endpoint.disabledAt : deps.now(),
    disabledReason: 'switched-off',
  }));
}

/** Returns the raised fence that stops a run from writing. The run keeps its lease, so no second one begins beside it. */
export function overtaken({ fence }: Pick<EventEndpoint, 'fence'>): Pick<EventEndpoint, 'fence'> {
  return { fence: fence + 1 };
}

/** Columns of an endpoint that starts again. */
export const FRESH = {
  isEnabled: true,
  disabledAt: null,
  disabledReason: null,
  replayFrom: null,
  replayTo: null,
  failures: 0,
  failingSince: null,
  nextTryAt: null,
  lastError: null,
} as const;

/** Replays a range of events, both ends included, beside new events. */
export async function replayEvents(
  deps: Deps,
  input: { companyId: number; endpointId: number; from: number; to: number | null },
): Promise<EndpointView> {
  return change(deps, input, async (_tx, { deliveredSequence, disabledAt, replayFrom, replayTo }) => {
    if (disabledAt !== null) throw conflict('endpoint-disabled', 'The endpoint is disabled: enable it first');
    if (replayFrom !== null) throw conflict('replay-running', `A replay up to event ${replayTo} is still running`);
    if (input.from > deliveredSequence) throw unfit('/from', `The last delivered event is ${deliveredSequence}`);
    return { replayFrom: input.from, replayTo: Math.min(input.to ?? deliveredSequence, deliveredSequence) };
  });
}

/** Changes one endpoint under its lock, and returns its new state. */
async function change(
  deps: Deps,
  { companyId, endpointId }: { companyId: number; endpointId: number },
  decide: (tx: Em, endpoint: EventEndpoint, lastSequence: number) => Promise<Partial<EventEndpoint>>,
): Promise<EndpointView> {
  const em = companyEm(deps.orm, companyId);
  const last = await numberEvents(em, companyId);
  await em.transactional(async (tx) => {
    const where = 'id = ? and company_id = ?';
    await tx.execute(`select id from event_endpoints where ${where} for no key update`, [endpointId, companyId]);
    const endpoint = await tx.findOne(EventEndpoint, endpointId, { refresh: true });
    if (!endpoint) throw notFound('event endpoint');
    const set = await decide(tx, endpoint, last);
    await tx.nativeUpdate(EventEndpoint, { id: endpointId, companyId }, { ...set, updatedAt: deps.now() });
  });
  return readEndpoint(deps, { companyId, endpointId });
}

/** Lists deliveries to an endpoint, newest first. */
export async function listDeliveries(
  deps: Deps,
  input: { companyId: number; endpointId: number; limit: number; beforeId: number | null },
): Promise<EventDelivery[]> {
  const { endpointId, limit, beforeId } = input;
  const em = companyEm(deps.orm, input.companyId);
  if (!(await em.findOne(EventEndpoint, endpointId))) throw notFound('event endpoint');
  const older = beforeId === null ? {} : { id: { $lt: beforeId } };
  return em.find(EventDelivery, { endpointId, ...older }, { orderBy: { id: 'desc' }, limit });
}
