import type { CarrierRegistry } from '../../carriers/adapter.ts';
import { callPartner } from '../../lib/call-partner.ts';
import { silentLog } from '../../lib/log.ts';
import { isCut, Tape, type TapedExchange } from '../../lib/tape.ts';
import type { MarketplaceRegistry } from '../../marketplaces/adapter.ts';
import { isSame, type Made } from './made.ts';
import { failedCall, type MethodInput, playCarrier, playMarketplace } from './play-method.ts';

export interface Registries {
  carriers: CarrierRegistry;
  marketplaces: MarketplaceRegistry;
}

/** One call of an adapter's method that recorded answers belong to. */
export interface PlayedCall {
  partner: string;
  account: unknown;
  method: string;
  input: MethodInput;
}

export interface Played {
  today: Made;
  taken: readonly TapedExchange[];
  /** Thrown for a request of today's adapter that the recording lacks. */
  missing: readonly string[];
}

const PATIENCE_MS = 60_000;

/** Replays recorded answers with today's adapter. The tape replaces the network, so nothing leaves this process. */
export async function playCall(
  { carriers, marketplaces }: Registries,
  call: PlayedCall,
  exchanges: readonly TapedExchange[],
): Promise<Played> {
  const carrier = carriers.get(call.partner);
  const marketplace = marketplaces.get(call.partner);
  const partner = carrier ?? marketplace;
  if (!partner) throw new Error(`There is no adapter ${call.partner}`);
  const draft = call.input.draft as { labelFormat?: string } | undefined;
  const tape = new Tape(exchanges, { isZpl: draft?.labelFormat === 'zpl' });
  const at = new Date(exchanges[0]?.startedAt ?? 0);
  const context = {
    account: call.account,
    signal: AbortSignal.timeout(PATIENCE_MS),
    log: silentLog,
    // Requests and answers contain dates relative to the day of the recording.
    now: () => at,
    tokens: tape.tokens,
    transport: tape.transport,
  };
  const today = await callPartner(partner, context, async (given) => {
    if (carrier) return playCarrier(carrier, given, call);
    if (marketplace) return playMarketplace(marketplace, given, call);
    throw new Error(`There is no adapter ${call.partner}`);
  }).catch((error: unknown) => failedCall(call, error));
  return { today, taken: tape.taken, missing: tape.missing };
}

export type Verdict = 'same' | 'different' | 'not-replayable';

/** A recorded call, its result with today's adapter, and the comparison. */
export interface Replayed {
  partner: string;
  shipmentId: number | null;
  /** Null: unknown. */
  method: string | null;
  input: MethodInput;
  exchanges: readonly TapedExchange[];
  /** Null: not recorded. */
  before: Made | null;
  today: Made | null;
  verdict: Verdict;
  /** Why it differs or cannot be replayed; empty otherwise. */
  reason: string;
}

/** Compares two results. Without enough data the verdict is `not-replayable`. */
export function judge(before: Made | null, { today, taken, missing }: Played): { verdict: Verdict; reason: string } {
  if (taken.some(isCut)) return { verdict: 'not-replayable', reason: 'an answer was stored only in part' };
  if (missing.length > 0) {
    return { verdict: 'different', reason: `the recording has no answer to ${missing.join(', ')}` };
  }
  if (before === null) return { verdict: 'not-replayable', reason: 'its original result was not recorded' };
  return isSame(before, today) ? { verdict: 'same', reason: '' } : { verdict: 'different', reason: '' };
}
