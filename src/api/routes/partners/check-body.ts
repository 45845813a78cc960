import type { ContractCheckState } from '../../../usecases/overview/read-contract-states.ts';

const STATUSES = { pending: 'pending', running: 'pending', succeeded: 'succeeded', failed: 'failed' } as const;

export function checkBody(carrierCompanyId: number, check: ContractCheckState) {
  const isFailed = check.status === 'failed';
  return {
    carrierCompanyId,
    status: STATUSES[check.status],
    error: isFailed ? check.message : null,
    reason: isFailed ? reasonOf(check) : null,
    checkedAt: check.result?.checkedAt ?? null,
  };
}

function reasonOf({ result, failureKind }: ContractCheckState): 'credentials' | 'unreachable' | 'refused' {
  if (result?.code === 'credentials-refused') return 'credentials';
  return failureKind === 'permanent' ? 'refused' : 'unreachable';
}
