import { callPartner, type Partner, type PartnerContext, secretsOf } from '../lib/call-partner.ts';
import type { RecordedExchange } from '../lib/http.ts';
import type { TokenStore } from '../lib/tokens.ts';
import type { Deps } from './deps.ts';
import { storeExchanges } from './exchange-log.ts';

/** On whose behalf a partner is called, and for which row of ours. */
export interface RecordedCall {
  companyId: number;
  shipmentId: number | null;
  attemptId: number | null;
  requestId: string;
  signal: AbortSignal;
  /** Epoch milliseconds just before the row was claimed; absent where nothing was. */
  claimedAt?: number | undefined;
}

/** The stored credentials and what they were sealed with. */
export interface SealedAccount {
  credentials: string;
  seal: string;
}

/**
 * How long after its claim a run may still send a write. A process that was frozen longer finds its row taken over; what it
 * would send then could buy a second label.
 */
export function leaseMs(deps: Pick<Deps, 'settings'>): number {
  return deps.settings.callLimitMs / 2;
}

/** Calls a partner of either kind and keeps the exchanges, whatever came of it. Throws only `IntegrationError`s. */
export async function callRecorded<Result>(
  deps: Deps,
  { partner, sealed, call }: { partner: Partner; sealed: SealedAccount; call: RecordedCall },
  run: (context: PartnerContext<unknown>) => Promise<Result>,
): Promise<Result> {
  const { companyId, shipmentId, attemptId, requestId } = call;
  const account = deps.vault.open(sealed.credentials, sealed.seal);
  const exchanges: RecordedExchange[] = [];
  const secrets = secretsOf(partner.account, account);
  const tokens: TokenStore = {
    async get(key, fetch) {
      const token = await deps.tokens.get(key, fetch);
      secrets.push(token);
      return token;
    },
    forget: (key) => deps.tokens.forget(key),
  };
  try {
    return await callPartner(
      partner,
      {
        account,
        signal: call.signal,
        log: deps.log.child({ provider: partner.id, requestId }),
        now: deps.now,
        tokens,
        budgets: deps.budgets,
        record: (exchange) => exchanges.push(exchange),
        writeBefore: (call.claimedAt ?? Date.now()) + leaseMs(deps),
      },
      run,
    );
  } finally {
    const owner = { companyId, shipmentId, attemptId, requestId, provider: partner.id };
    // The call is over and its outcome stands, also when the log of it cannot be written.
    await storeExchanges(deps, owner, { exchanges, secrets }).catch((err) =>
      deps.log.error({ err, provider: partner.id }, 'exchange not stored'),
    );
  }
}
