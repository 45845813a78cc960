import type { TapedExchange } from '../../lib/tape.ts';
import type { Made } from './made.ts';
import type { MethodInput } from './play-method.ts';
import { judge, type Played, playCall, type Registries, type Replayed } from './replay-call.ts';

/** A method that recorded answers may belong to. */
export interface Step {
  method: string;
  input: MethodInput;
  /** True: this method made the call, so a request that it did not make before is a difference. Otherwise it is a candidate. */
  isSure: boolean;
  isOnce: boolean;
  /** Returns the recorded result, if any. `hasMore`: other calls came after it. */
  before(hasMore: boolean): Made | null;
}

/** Answers of one attempt, or of one shipment without an attempt, and the methods that may have asked for them. */
export interface Group {
  partner: string;
  shipmentId: number | null;
  account: unknown;
  steps: readonly Step[];
  exchanges: readonly TapedExchange[];
}

/**
 * Replays the answers of a group with today's adapter. The rows do not say which answers belong to one call. So a call is what the
 * adapter takes, in order, of the answers that came within `callLimitMs`.
 */
export async function replayGroup(
  registries: Registries,
  { partner, shipmentId, account, steps, exchanges }: Group,
  callLimitMs: number,
): Promise<Replayed[]> {
  const replayed: Replayed[] = [];
  let left = [...exchanges];
  let open = [...steps];
  while (left.length > 0) {
    const near = withinCall(left, callLimitMs);
    const accepted = await firstThatFits(registries, { partner, account, steps: open, near });
    if (!accepted) {
      const reason = `no method of today's adapter asks ${near.map(({ operation }) => operation).join(', ')}`;
      replayed.push({ ...notReplayable({ partner, shipmentId, exchanges: near }, reason) });
      left = left.filter((one) => !near.includes(one));
      continue;
    }
    const { step, played } = accepted;
    const taken = played.taken.length > 0 ? played.taken : near;
    left = left.filter((one) => !taken.includes(one));
    if (step.isOnce) open = open.filter((one) => one !== step);
    const before = step.before(left.length > 0);
    const { method, input } = step;
    const today = played.today;
    replayed.push({ partner, shipmentId, method, input, exchanges: taken, before, today, ...judge(before, played) });
  }
  return replayed;
}

/** Returns the answers that may belong to the same call as the first one. */
function withinCall(exchanges: readonly TapedExchange[], callLimitMs: number): TapedExchange[] {
  const end = new Date(exchanges[0]?.startedAt ?? 0).getTime() + callLimitMs;
  return exchanges.filter(({ startedAt }) => new Date(startedAt).getTime() <= end);
}

async function firstThatFits(
  registries: Registries,
  given: Pick<Group, 'partner' | 'account' | 'steps'> & { near: readonly TapedExchange[] },
): Promise<{ step: Step; played: Played } | null> {
  for (const step of given.steps) {
    const { method, input } = step;
    const call = { partner: given.partner, account: given.account, method, input };
    const played = await playCall(registries, call, given.near);
    if (step.isSure || (played.taken.length > 0 && played.missing.length === 0)) return { step, played };
  }
  return null;
}

/** Returns a verdict for answers that cannot be replayed, with the reason. */
export function notReplayable(
  { partner, shipmentId, exchanges }: Pick<Group, 'partner' | 'shipmentId' | 'exchanges'>,
  reason: string,
): Replayed {
  const unknown = { method: null, input: {}, before: null, today: null };
  return { partner, shipmentId, exchanges, ...unknown, verdict: 'not-replayable', reason };
}
