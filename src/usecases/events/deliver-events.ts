import { Webhook } from 'standardwebhooks';
import { EventEndpoint, EventRow } from '../../db/entities/index.ts';
import { type Em, systemEm } from '../../db/orm.ts';
import { numberEvents } from '../../db/queries/number-events.ts';
import { deliveryPauseMs, GIVE_UP_MS } from '../../domain/delivery-pause.ts';
import type { DisabledReason } from '../../domain/event-types.ts';
import type { Deps, JobContext } from '../../engine/deps.ts';
import { enqueue } from '../../engine/enqueue.ts';
import { IntegrationError } from '../../lib/errors.ts';
import { openPoster, type Poster, type PostResult } from '../../lib/guarded-post.ts';
import { deliverJobId, EVENTS_QUEUE } from '../../queue/jobs.ts';
import { activeSecrets } from './event-secrets.ts';
import { type EventMessage, eventMessage } from './read-events.ts';

/** After this a run makes place for other endpoints, however much it has left. */
const RUN_MS = 20_000;
/** A run that does not say that it lives for longer than its longest try has lost its worker. */
const LEASE_SPARE_MS = 30_000;
const BATCH = 100;

interface Run {
  /** As claimed, with its fencing number; what is written to the row is changed here too. */
  endpoint: EventEndpoint;
  secrets: string[];
  poster: Poster;
  /** How long it may go on. */
  runMs: number;
}

/** Where a run reads its events: what is new, or what is told again. */
interface Lane {
  isReplay: boolean;
  after: number;
  upTo: number;
}

/**
 * Tells one endpoint, in their order, of the events it was not told of yet, until one of them is not taken. Run at the same time by
 * two workers it tells once; after a crash the last one is told again, under the same id.
 */
export async function deliverEvents(
  deps: Deps,
  input: { endpointId: number } & JobContext,
  { runMs = RUN_MS }: { runMs?: number } = {},
): Promise<void> {
  const em = systemEm(deps.orm);
  const endpoint = await claim(deps, em, input.endpointId);
  if (!endpoint) return;
  const { eventsAllowPrivate: allowPrivate, eventTimeoutMs: timeoutMs } = deps.settings;
  const poster = openPoster({ resolve: deps.resolve, allowPrivate, timeoutMs });
  try {
    const secrets = activeSecrets(deps.vault, endpoint, deps.now());
    const isLeft = await tell(deps, em, { endpoint, secrets, poster, runMs }, input.signal);
    await release(em, endpoint);
    const { id, fence } = endpoint;
    if (isLeft) {
      await enqueue(deps, EVENTS_QUEUE, [
        { name: 'deliver', id: deliverJobId(id, fence), payload: { endpointId: id } },
      ]);
    }
  } catch (error) {
    await release(em, endpoint);
    if (input.signal.aborted) return; // the worker is stopping: the next tick queues it again
    if (!(error instanceof IntegrationError)) throw error;
    const { id, companyId } = endpoint;
    deps.log.error({ endpointId: id, companyId, code: error.code }, 'events cannot be signed');
    await fail(deps, em, endpoint, { error: error.code, retryAfterMs: undefined });
  } finally {
    await poster.close();
  }
}

/** Takes the endpoint for this run; null when it is switched off, waits, or somebody has it. */
async function claim(deps: Deps, em: Em, endpointId: number): Promise<EventEndpoint | null> {
  const taken = await em.execute<{ id: number }[]>(
    `update event_endpoints set attempt = attempt + 1, running_until = ?
      where id = ? and disabled_at is null and (next_try_at is null or next_try_at <= ?)
        and (running_until is null or running_until <= ?) returning id`,
    [leaseEnd(deps), endpointId, deps.now(), deps.now()],
  );
  return taken.length === 0 ? null : em.findOne(EventEndpoint, endpointId, { refresh: true });
}

function leaseEnd(deps: Deps): Date {
  return new Date(deps.now().getTime() + deps.settings.eventTimeoutMs + LEASE_SPARE_MS);
}

/** Gives the endpoint back, if this run still has it. */
async function release(em: Em, { id, fence }: EventEndpoint): Promise<void> {
  await em.execute('update event_endpoints set running_until = null where id = ? and attempt = ?', [id, fence]);
}

/** Answers whether there is more to tell now. */
async function tell(deps: Deps, em: Em, run: Run, signal: AbortSignal): Promise<boolean> {
  const { endpoint } = run;
  const started = performance.now();
  for (;;) {
    const lane = await nextLane(em, endpoint);
    if (!lane) return false;
    const events = await read(em, endpoint, lane);
    for (const event of events) {
      if (performance.now() - started > run.runMs) return true;
      const message = eventMessage(deps, event);
      const startedAt = deps.now();
      const result = await post(run, message, { signal, now: startedAt });
      const isOver = await note(deps, em, run, { event, lane, result, startedAt });
      if (isOver) return false;
    }
    const isRead = events.length < BATCH && (events.at(-1)?.sequence ?? 0) < lane.upTo;
    // Nothing more up to there is of its types.
    if (isRead && !(await advance(em, endpoint, lane, { upTo: lane.upTo, leaseUntil: null }))) return false;
  }
}

/** What is new goes first: a long replay must not keep it waiting for more than a batch. */
async function nextLane(em: Em, endpoint: EventEndpoint): Promise<Lane | null> {
  const last = await numberEvents(em, endpoint.companyId);
  if (endpoint.deliveredSequence < last) return { isReplay: false, after: endpoint.deliveredSequence, upTo: last };
  const { replayFrom, replayTo } = endpoint;
  if (replayFrom === null || replayTo === null) return null;
  return { isReplay: true, after: replayFrom - 1, upTo: replayTo };
}

function read(em: Em, { companyId, types }: EventEndpoint, lane: Lane): Promise<EventRow[]> {
  return em.find(
    EventRow,
    { companyId, sequence: { $gt: lane.after, $lte: lane.upTo }, ...(types ? { type: { $in: types } } : {}) },
    { orderBy: { sequence: 'asc' }, limit: BATCH, disableIdentityMap: true },
  );
}

/** Standard Webhooks 1.0: each active secret signs, so that a receiver may change its own at any moment. */
function post(
  run: Run,
  message: EventMessage,
  { signal, now }: { signal: AbortSignal; now: Date },
): Promise<PostResult> {
  const { id, ...content } = message;
  const body = JSON.stringify(content);
  const signatures = run.secrets.map((secret) => new Webhook(secret).sign(id, now, body));
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'smista',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': signatures.join(' '),
  };
  return run.poster.post({ url: run.endpoint.url, headers, body, signal });
}

interface Try {
  event: EventRow;
  lane: Lane;
  result: PostResult;
  startedAt: Date;
}

/** Writes down what came of a try. Answers whether the run is over: it failed, or somebody else has the endpoint by now. */
async function note(deps: Deps, em: Em, run: Run, { event, lane, result, startedAt }: Try): Promise<boolean> {
  const { endpoint } = run;
  const isTaken = result.error === null;
  const sequence = event.sequence ?? 0;
  const number = endpoint.failures + 1;
  return em.transactional(async (tx) => {
    const isOurs = isTaken
      ? await advance(tx, endpoint, lane, { upTo: sequence, leaseUntil: leaseEnd(deps) })
      : await fail(deps, tx, endpoint, result);
    if (!isOurs) return true;
    await tx.execute(
      `insert into event_deliveries (company_id, endpoint_id, event_id, sequence, type, is_replay, number, http_status, error,
                                     duration_ms, started_at) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      [
        endpoint.companyId,
        endpoint.id,
        event.id,
        sequence,
        event.type,
        lane.isReplay,
        number,
        result.status,
        result.error,
        result.durationMs,
        startedAt,
      ],
    );
    return !isTaken;
  });
}

/** Everything up to a number was told. False when somebody else has the endpoint, or it was switched off. */
async function advance(
  em: Em,
  endpoint: EventEndpoint,
  lane: Lane,
  // Null: nothing was sent, which says nothing of the receiver.
  { upTo, leaseUntil }: { upTo: number; leaseUntil: Date | null },
): Promise<boolean> {
  if (!lane.isReplay) endpoint.deliveredSequence = upTo;
  else if (upTo < lane.upTo) endpoint.replayFrom = upTo + 1;
  else Object.assign(endpoint, { replayFrom: null, replayTo: null });
  const { id, companyId, fence, deliveredSequence, replayFrom, replayTo } = endpoint;
  // Only what this lane moves: a replay may have been asked for since the row was read.
  const set = lane.isReplay ? { replayFrom, replayTo } : { deliveredSequence };
  const healed = { failures: 0, failingSince: null, nextTryAt: null, lastError: null };
  if (leaseUntil) Object.assign(endpoint, healed);
  const changed = await em.nativeUpdate(
    EventEndpoint,
    { id, companyId, fence, disabledAt: null },
    leaseUntil ? { ...set, ...healed, runningUntil: leaseUntil } : set,
  );
  return changed > 0;
}

/** Puts the next try off, or switches the endpoint off when it has failed for days. False when somebody else has it. */
async function fail(
  deps: Deps,
  em: Em,
  endpoint: EventEndpoint,
  { error, retryAfterMs }: { error: string | null; retryAfterMs: number | undefined },
): Promise<boolean> {
  const { id, companyId, fence } = endpoint;
  const now = deps.now();
  const failures = endpoint.failures + 1;
  const since = endpoint.failingSince ?? now;
  const giveUpAt = since.getTime() + GIVE_UP_MS;
  const reason = disabledBy(error, now.getTime() >= giveUpAt);
  // The last try is when the time is over, not a pause later.
  const pause = deliveryPauseMs(failures, { askedMs: retryAfterMs });
  const nextTryAt = reason === null ? new Date(Math.min(now.getTime() + pause, giveUpAt)) : null;
  const rows = await em.execute<{ id: number }[]>(
    `update event_endpoints set failures = ?, failing_since = ?, next_try_at = ?, last_error = ?,
            running_until = null, disabled_at = ?, disabled_reason = ?
      where id = ? and company_id = ? and attempt = ? and disabled_at is null returning id`,
    [failures, since, nextTryAt, error, reason && now, reason, id, companyId, fence],
  );
  if (reason && rows.length > 0)
    deps.log.error({ endpointId: id, companyId, reason, error }, 'event endpoint disabled');
  return rows.length > 0;
}

function disabledBy(error: string | null, isTooLate: boolean): DisabledReason | null {
  if (error === 'gone') return 'gone';
  return isTooLate ? 'failing' : null;
}
