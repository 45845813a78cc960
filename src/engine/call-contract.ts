import type { Carrier, CarrierContext } from '../carriers/adapter.ts';
import { CarrierRow, type Contract } from '../db/entities/index.ts';
import { type Orm, systemEm } from '../db/orm.ts';
import { IntegrationError } from '../lib/errors.ts';
import { callRecorded, type RecordedCall } from './call-recorded.ts';
import type { Deps } from './deps.ts';

export { leaseMs } from './call-recorded.ts';

export interface ContractCall extends Omit<RecordedCall, 'companyId' | 'contractId'> {
  contract: Contract;
}

/** Returns how long after a write the carrier's look-up may still miss it, in milliseconds. */
export function settlingMs(deps: Pick<Deps, 'settings'>, carrier: Carrier): number {
  return deps.settings.settlingMs ?? carrier.settlingMs;
}

/** Calls a carrier under a company's contract and stores the exchange. Throws only `IntegrationError`s. */
export async function callContract<Result>(
  deps: Deps,
  call: ContractCall,
  run: (carrier: Carrier, context: CarrierContext<unknown>) => Promise<Result>,
): Promise<Result> {
  const { contract, ...rest } = call;
  const carrier = await carrierOf(deps, contract.carrierId);
  const sealed = { credentials: contract.credentials, seal: contractSeal(contract.id) };
  const { id: contractId, companyId } = contract;
  return callRecorded(deps, { partner: carrier, sealed, call: { ...rest, companyId, contractId } }, (context) =>
    run(carrier, context),
  );
}

/** Returns the context that a contract's credentials are encrypted with. */
export function contractSeal(contractId: number): string {
  return `contract:${contractId}`;
}

/** The catalogue by id, cached: a start adds rows, and their code never changes. */
const codes = new WeakMap<Orm, Map<number, string>>();

export async function carrierCode(orm: Orm, carrierId: number): Promise<string> {
  const known = codes.get(orm) ?? new Map<number, string>();
  codes.set(orm, known);
  const code = known.get(carrierId) ?? (await systemEm(orm).findOneOrFail(CarrierRow, carrierId)).code;
  known.set(carrierId, code);
  return code;
}

/** Returns the adapter of a catalogue row. */
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

/** Returns an optional method of a carrier. Throws a permanent `IntegrationError` when the carrier lacks it. */
export function supported<Method>(method: Method | undefined, carrier: Carrier, name: string): Method {
  if (method) return method;
  throw new IntegrationError(`${carrier.label} has no ${name}`, {
    kind: 'permanent',
    provider: carrier.id,
    code: 'not-supported',
  });
}
