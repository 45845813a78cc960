import { EventEndpoint, EventRow } from '../../db/entities/index.ts';
import { type Em, systemEm } from '../../db/orm.ts';
import { numberEvents } from '../../db/queries/number-events.ts';
import { deliveryPauseMs, GIVE_UP_MS } from '../../domain/delivery-pause.ts';
import type { DisabledReason } from '../../domain/event-types.ts';
import type { Deps, JobContext } from '../../engine/deps.ts';
import { IntegrationError } from '../../lib/errors.ts';
import { openPoster, type Poster, type PostResult } from '../../lib/guarded-post.ts';
import { claim, judge, leaseEnd, release } from './endpoint-lease.ts';
import { activeSecrets } from './event-secrets.ts';
import { type EventMessage, eventMessage } from './read-events.ts';
import { signedHeaders } from './signed-headers.ts';

/** Maximum duration of a run, so that other endpoints get their turn. */
const RUN_MS = 20_000;
const BATCH = 100;

interface Run {
  /** The claimed row with its fence. Updates of the row change this copy too. */
  endpoint: EventEndpoint;
  secrets: string[];
  poster: Poster;
  /** When the run must end. */
  runMs: number;
}

/** The lane of a run: new events, or a replay. */
interface Lane {
  isReplay: boolean;
  after: number;
  upTo: number;
}

/**
 * Delivers events to one endpoint in order, until a delivery fails. With two workers at the same time each event is sent once.
 * After a crash the last event is sent again, under the same id.
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
    await tell(deps, em, { endpoint, secrets, poster, runMs }, input.signal);
  } catch (error) {
    if (input.signal.aborted) return; // the worker is stopping: the next tick enqueues it again
    if (!(error instanceof IntegrationError)) throw error;
    const { id, companyId } = endpoint;
    deps.log.error({ endpointId: id, companyId, code: error.code }, 'events cannot be signed');
    await fail(deps, em, endpoint, { error: error.code, retryAfterMs: undefined });
  } finally {
    await release(em, endpoint);
    await poster.close();
  }
}

/** Delivers events until none waits, one fails or the time is over. The next tick enqueues what is left. */
async function tell(deps: Deps, em: Em, run: Run, signal: AbortSignal): Promise<void> {
  const { endpoint } = run;
  const started = performance.now();
  for (;;) {
    const lane = await nextLane(em, endpoint);
    if (!lane) return;
    const events = await read(em, endpoint, lane);
    for (const event of events) {
      if (performance.now() - started > run.runMs) return;
      const message = eventMessage(deps, event);
      const startedAt = deps.now();
      const result = await post(run, message, { signal, now: startedAt });
      const isOver = await note(deps, em, run, { event, lane, result, startedAt });
      if (isOver) return;
    }
    const isRead = events.length < BATCH && (events.at(-1)?.sequence ?? 0) < lane.upTo;
    // No further event up to there is of its types.
    if (isRead && !(await advance(em, endpoint, lane, { upTo: lane.upTo, leaseUntil: null }))) return;
  }
}

/** Chooses new events first, so that a long replay delays them by one batch at most. */
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

function post(
  run: Run,
  message: EventMessage,
  { signal, now }: { signal: AbortSignal; now: Date },
): Promise<PostResult> {
  const { id, ...content } = message;
  const body = JSON.stringify(content);
  const headers = signedHeaders(run.secrets, { id, body, now });
  return run.poster.post({ url: run.endpoint.url, headers, body, signal });
}

interface Try {
  event: EventRow;
  lane: Lane;
  result: PostResult;
  startedAt: Date;
}

/** Records an attempt. Returns true when the run is over: the attempt failed, or another run has the endpoint. */
async function note(deps: Deps, em: Em, run: Run, { event, lane, result, startedAt }: Try): Promise<boolean> {
  const { endpoint } = run;
  const isTaken = result.error === null;
  judge(endpoint, result, deps.now());
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

/** Records that all events up to a number are delivered. Returns false when another run has the endpoint, or it was disabled. */
async function advance(
  em: Em,
  endpoint: EventEndpoint,
  lane: Lane,
  // Null: nothing was sent, so the receiver's state is unchanged.
  { upTo, leaseUntil }: { upTo: number; leaseUntil: Date | null },
): Promise<boolean> {
  if (!lane.isReplay) endpoint.deliveredSequence = upTo;
  else if (upTo < lane.upTo) endpoint.replayFrom = upTo + 1;
  else Object.assign(endpoint, { replayFrom: null, replayTo: null });
  const { id, companyId, fence, deliveredSequence, replayFrom, replayTo } = endpoint;
  // Only the columns of this lane: a replay may have been requested since the row was read.
  const set = lane.isReplay ? { replayFrom, replayTo } : { deliveredSequence };
  const healed = { failures: 0, failingSince: null, nextTryAt: null, lastError: null };
  if (leaseUntil) Object.assign(endpoint, healed);
  const changed = await em.nativeUpdate(
    EventEndpoint,
    { id, companyId, fence, disabledAt: null },
    leaseUntil ? { ...set, ...healed, runningUntil: leaseUntil } : set,
  );
  if (leaseUntil && changed > 0) endpoint.runningUntil = leaseUntil;
  return changed > 0;
}

/** Schedules the retry, or disables an endpoint that has failed for days. Returns false when another run has the endpoint. */
async function fail(
  deps: Deps,
  em: Em,
  endpoint: EventEndpoint,
  { error, retryAfterMs }: { error: string | null; retryAfterMs: number | undefined },
): Promise<boolean> {
  const { id, companyId, fence } = endpoint;
  const now = deps.now();
  // The row may have been enabled since it was claimed, and then counts from zero.
  const [current] = await em.execute<{ failures: number; failing_since: Date | null }[]>(
    `select failures, failing_since from event_endpoints
      where id = ? and company_id = ? and attempt = ? and disabled_at is null for no key update`,
    [id, companyId, fence],
  );
  if (!current) return false;
  const failures = current.failures + 1;
  const since = current.failing_since ? new Date(current.failing_since) : now;
  const giveUpAt = since.getTime() + GIVE_UP_MS;
  const reason = disabledBy(error, now.getTime() >= giveUpAt);
  // The last attempt is at the deadline, not one backoff later.
  const pause = deliveryPauseMs(failures, { askedMs: retryAfterMs });
  const nextTryAt = reason === null ? new Date(Math.min(now.getTime() + pause, giveUpAt)) : null;
  const rows = await em.execute<{ id: number }[]>(
    `update event_endpoints set failures = ?, failing_since = ?, next_try_at = ?, last_error = ?,
            disabled_at = ?, disabled_reason = ?
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
