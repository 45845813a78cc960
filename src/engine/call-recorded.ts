import { callPartner, type Partner, type PartnerContext, secretsOf } from '../lib/call-partner.ts';
import type { RecordedExchange } from '../lib/http.ts';
import type { TokenStore } from '../lib/tokens.ts';
import type { Deps } from './deps.ts';
import { keepExchanges, type PendingExchanges } from './exchange-log.ts';

/** The company and the row that a call belongs to. */
export interface RecordedCall {
  companyId: number;
  shipmentId: number | null;
  /** Absent: a call to a marketplace. */
  contractId?: number;
  attemptId: number | null;
  requestId: string;
  signal: AbortSignal;
  /** Epoch milliseconds just before the claim; absent when no row was claimed. */
  claimedAt?: number | undefined;
  /** Takes the exchanges, for a caller that stores them when it knows what they brought. */
  pending?: PendingExchanges;
}

/** The stored credentials and their encryption context. */
export interface SealedAccount {
  credentials: string;
  seal: string;
}

/**
 * Returns the lease: how long after its claim a run may still send a write, in milliseconds. After a longer suspension another run has
 * the row, and a late write could buy a second label.
 */
export function leaseMs(deps: Pick<Deps, 'settings'>): number {
  return deps.settings.callLimitMs / 2;
}

/** Calls a partner of either kind and keeps the exchanges after success and failure. Throws only `IntegrationError`s. */
export async function callRecorded<Result>(
  deps: Deps,
  { partner, sealed, call }: { partner: Partner; sealed: SealedAccount; call: RecordedCall },
  run: (context: PartnerContext<unknown>) => Promise<Result>,
): Promise<Result> {
  const { companyId, shipmentId, contractId = null, attemptId, requestId } = call;
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
    const owner = { companyId, shipmentId, contractId, attemptId, requestId, provider: partner.id };
    if (call.pending) call.pending.add(owner, { exchanges, secrets });
    else await keepExchanges(deps, owner, { exchanges, secrets });
  }
}
