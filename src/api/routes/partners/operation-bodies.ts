import type { OperationView } from '../../../engine/read-operation.ts';
import type { ContractCheckOutcome } from '../../../usecases/partners/verify-contract.ts';
import type { ApiDeps, OperationBody } from '../../http/route.ts';
import { checkBody } from './check-body.ts';

function verifyBody(_deps: ApiDeps, { operation, items: [item] }: OperationView) {
  const { contractId } = operation.input as { contractId: number };
  const { status = 'pending', message = '', failureKind = null } = item ?? {};
  const result = (item?.result ?? null) as ContractCheckOutcome | null;
  return checkBody(contractId, { status, message, failureKind, result });
}

export const partnerBodies = { 'verify-contract': verifyBody } satisfies Record<string, OperationBody>;
