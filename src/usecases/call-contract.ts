import type { Carrier, CarrierContext } from '../carriers/contract.ts';
import { CarrierRow, type Contract } from '../db/entities/index.ts';
import { systemEm } from '../db/orm.ts';
import { callPartner, secretsOf } from '../lib/call-partner.ts';
import { IntegrationError } from '../lib/errors.ts';
import type { RecordedExchange } from '../lib/http.ts';
import type { Deps } from './deps.ts';
import { storeExchanges } from './exchange-log.ts';

export interface ContractCall {
  contract: Contract;
  shipmentId: number | null;
  attemptId: number | null;
  requestId: string;
  signal: AbortSignal;
  /** Epoch milliseconds just before the row was claimed; absent where nothing was. */
  claimedAt?: number;
}

/**
 * How long after its claim a run may still send a write. A process that was frozen longer finds its row taken over; what it
 * would send then could buy a second label.
 */
export function leaseMs(deps: Pick<Deps, 'settings'>): number {
  return deps.settings.callLimitMs / 2;
}

/** How long after a write left the carrier's look-up may still miss it. */
export function settlingMs(deps: Pick<Deps, 'settings'>, carrier: Carrier): number {
  return deps.settings.settlingMs ?? carrier.settlingMs;
}

/** Calls a carrier under a company's contract and keeps the exchange. Throws only `IntegrationError`s. */
export async function callContract<Result>(
  deps: Deps,
  call: ContractCall,
  run: (carrier: Carrier, context: CarrierContext<unknown>) => Promise<Result>,
): Promise<Result> {
  const { contract } = call;
  const carrier = await carrierOf(deps, contract.carrierId);
  const account = deps.vault.open(contract.credentials, contractSeal(contract.id));
  const exchanges: RecordedExchange[] = [];
  try {
    return await callPartner(
      carrier,
      {
        account,
        signal: call.signal,
        log: deps.log.child({ carrier: carrier.id, requestId: call.requestId }),
        now: deps.now,
        record: (exchange) => exchanges.push(exchange),
        writeBefore: (call.claimedAt ?? Date.now()) + leaseMs(deps),
      },
      (context) => run(carrier, context),
    );
  } finally {
    const owner = {
      companyId: contract.companyId,
      shipmentId: call.shipmentId,
      attemptId: call.attemptId,
      requestId: call.requestId,
      provider: carrier.id,
    };
    // The call is over and its outcome stands, also when the log of it cannot be written.
    await storeExchanges(systemEm(deps.orm), owner, exchanges, secretsOf(carrier.account, account)).catch((err) =>
      deps.log.error({ err, provider: carrier.id }, 'exchange not stored'),
    );
  }
}

/** What a contract's credentials are sealed with. */
export function contractSeal(contractId: number): string {
  return `contract:${contractId}`;
}

/** The adapter of a catalogue row. */
export async function carrierOf(deps: Pick<Deps, 'orm' | 'carriers'>, carrierId: number): Promise<Carrier> {
  const row = await systemEm(deps.orm).findOneOrFail(CarrierRow, carrierId);
  const carrier = deps.carriers.get(row.code);
  if (!carrier) {
    throw new IntegrationError(`No adapter for carrier ${row.code}`, {
      kind: 'permanent',
      provider: row.code,
      code: 'not-supported',
    });
  }
  return carrier;
}

/** A carrier method that may be absent, or a permanent refusal in plain words. */
export function supported<Method>(method: Method | undefined, carrier: Carrier, name: string): Method {
  if (method) return method;
  throw new IntegrationError(`${carrier.label} has no ${name}`, {
    kind: 'permanent',
    provider: carrier.id,
    code: 'not-supported',
  });
}
