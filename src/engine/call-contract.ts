import type { Carrier, CarrierContext } from '../carriers/adapter.ts';
import { CarrierRow, type Contract } from '../db/entities/index.ts';
import { type Orm, systemEm } from '../db/orm.ts';
import { IntegrationError } from '../lib/errors.ts';
import { callRecorded, type RecordedCall } from './call-recorded.ts';
import type { Deps } from './deps.ts';

export { leaseMs } from './call-recorded.ts';

export interface ContractCall extends Omit<RecordedCall, 'companyId'> {
  contract: Contract;
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
  const { contract, ...rest } = call;
  const carrier = await carrierOf(deps, contract.carrierId);
  const sealed = { credentials: contract.credentials, seal: contractSeal(contract.id) };
  return callRecorded(deps, { partner: carrier, sealed, call: { ...rest, companyId: contract.companyId } }, (context) =>
    run(carrier, context),
  );
}

/** What a contract's credentials are sealed with. */
export function contractSeal(contractId: number): string {
  return `contract:${contractId}`;
}

/** The catalogue by id. Rows are added when a process starts and never change their code. */
const codes = new WeakMap<Orm, Map<number, string>>();

export async function carrierCode(orm: Orm, carrierId: number): Promise<string> {
  const known = codes.get(orm) ?? new Map<number, string>();
  codes.set(orm, known);
  const code = known.get(carrierId) ?? (await systemEm(orm).findOneOrFail(CarrierRow, carrierId)).code;
  known.set(carrierId, code);
  return code;
}

/** The adapter of a catalogue row. */
export async function carrierOf(deps: Pick<Deps, 'orm' | 'carriers'>, carrierId: number): Promise<Carrier> {
  const code = await carrierCode(deps.orm, carrierId);
  const carrier = deps.carriers.get(code);
  if (!carrier) {
    throw new IntegrationError(`No adapter for carrier ${code}`, {
      kind: 'permanent',
      provider: code,
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
