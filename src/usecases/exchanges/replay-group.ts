import type { TapedExchange } from '../../lib/tape.ts';
import type { Made } from './made.ts';
import type { MethodInput } from './play-method.ts';
import { judge, type Played, playCall, type Registries, type Replayed } from './replay-call.ts';

/** A method that recorded answers may belong to. */
export interface Step {
  method: string;
  input: MethodInput;
  /** It was this one, so that a request it did not make before is a difference; else it is only tried. */
  isSure: boolean;
  isOnce: boolean;
  /** What was made of it, as far as it was written down. `hasMore`: other calls came after it. */
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
 * Runs the answers of a group through today's adapter. Which of them belong to one call is not written down: a call is what the adapter
 * takes of the answers that came within `callLimitMs`, in their order.
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

/** The answers that can be of the same call as the first one. */
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

/** Answers that nothing can be made of, and why. */
export function notReplayable(
  { partner, shipmentId, exchanges }: Pick<Group, 'partner' | 'shipmentId' | 'exchanges'>,
  reason: string,
): Replayed {
  const unknown = { method: null, input: {}, before: null, today: null };
  return { partner, shipmentId, exchanges, ...unknown, verdict: 'not-replayable', reason };
}
