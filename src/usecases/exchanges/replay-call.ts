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
  /** What today's adapter asks and the recording does not have. */
  missing: readonly string[];
}

const PATIENCE_MS = 60_000;

/** Runs recorded answers through today's adapter. Nothing leaves this process: the tape is all the network there is. */
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
    // Dates in requests and answers are those of the day of the recording.
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

/** What a recorded call was, what today's adapter makes of it, and whether that is the same. */
export interface Replayed {
  partner: string;
  shipmentId: number | null;
  /** Null: not known. */
  method: string | null;
  input: MethodInput;
  exchanges: readonly TapedExchange[];
  /** Null: it was not written down. */
  before: Made | null;
  today: Made | null;
  verdict: Verdict;
  /** Why it is different or cannot be run again; empty otherwise. */
  reason: string;
}

/** Compares; what cannot be compared is said, not guessed. */
export function judge(before: Made | null, { today, taken, missing }: Played): { verdict: Verdict; reason: string } {
  if (taken.some(isCut)) return { verdict: 'not-replayable', reason: 'an answer was kept only in part' };
  if (missing.length > 0) {
    return { verdict: 'different', reason: `the recording has no answer to ${missing.join(', ')}` };
  }
  if (before === null) return { verdict: 'not-replayable', reason: 'what was made of it then was not written down' };
  return isSame(before, today) ? { verdict: 'same', reason: '' } : { verdict: 'different', reason: '' };
}
