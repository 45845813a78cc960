import { CarrierRow, Contract, OperationItem } from '../../db/entities/index.ts';
import { companyEm, type Em, systemEm } from '../../db/orm.ts';
import { claimItem, settleItem } from '../../db/queries/operations.ts';
import { callContract, supported } from '../../engine/call-contract.ts';
import type { Deps, JobContext } from '../../engine/deps.ts';
import { enqueue } from '../../engine/enqueue.ts';
import { notFound, unprocessable } from '../../engine/find.ts';
import { markMade, type Origin, originOf } from '../../engine/idempotency.ts';
import { openOperation } from '../../engine/open-operation.ts';
import { IntegrationError } from '../../lib/errors.ts';
import { carrierQueue } from '../../queue/jobs.ts';
import { afterCall } from '../../queue/retry.ts';

const NAME = 'verify-contract';

/** The result of a check, as the operation item stores it. */
export interface ContractCheckOutcome {
  checkedAt: string;
  /** The code of the failure; null: the credentials are accepted. */
  code: string | null;
}

/**
 * Queues a check of a contract's credentials, also of a contract that is switched off. Returns the id of the operation; a check that
 * is still open is shared. Throws a 422 for a carrier without such a check.
 */
export async function requestContractCheck(deps: Deps, input: Origin & { contractId: number }): Promise<number> {
  const { companyId, requestId } = input;
  const em = companyEm(deps.orm, companyId);
  const contract = await em.findOne(Contract, { id: input.contractId, deleteFlag: false });
  if (!contract) throw notFound('carrier contract');
  const { code, name: carrierName } = await em.findOneOrFail(CarrierRow, contract.carrierId);
  if (!deps.carriers.get(code)?.verifyAccount) throw unprocessable(`${carrierName} has no check without a shipment`);
  const open = await findOpen(em, contract);
  if (open !== null) {
    await markMade(em, input.once, open);
    return open;
  }
  const { operationId, firstItemId: itemId } = await em.transactional((tx) =>
    openOperation(tx, { ...originOf(input), kind: NAME, input: { contractId: contract.id } }, [
      { contractId: contract.id },
    ]),
  );
  const job = { name: NAME, id: `${NAME}-${itemId}`, companyId, payload: { itemId, requestId } } as const;
  await enqueue(deps, carrierQueue(code), [job]);
  return operationId;
}

async function findOpen(em: Em, { id, companyId }: Contract): Promise<number | null> {
  const [row] = await em.execute<{ id: number }[]>(
    `select operation_id as id from operation_items
      where company_id = ? and contract_id = ? and kind = 'verify-contract' and status in ('pending', 'running')
      order by id limit 1`,
    [companyId, id],
  );
  return row?.id ?? null;
}

/** Asks the carrier whether it accepts the credentials. A person waits, so a failure is reported without a retry. */
export async function verifyContract(deps: Deps, input: { itemId: number } & JobContext): Promise<void> {
  const em = systemEm(deps.orm);
  const item = await em.findOne(OperationItem, input.itemId);
  if (!item?.contractId) return;
  const claim = await claimItem(em, item.id);
  if (!claim) return;
  const held = { itemId: item.id, fence: claim.fence };
  const contract = await em.findOneOrFail(Contract, item.contractId);
  const outcome: ContractCheckOutcome = { checkedAt: deps.now().toISOString(), code: null };
  try {
    const call = { ...input, contract, shipmentId: null, attemptId: null };
    await callContract(deps, call, (carrier, context) =>
      supported(carrier.verifyAccount?.bind(carrier), carrier, 'check without a shipment')(context),
    );
    await settleItem(em, held, { status: 'succeeded', message: '', result: { ...outcome } });
  } catch (error) {
    if (!(error instanceof IntegrationError)) throw error;
    const { message, kind: failureKind } = error;
    await settleItem(em, held, { status: 'failed', message, failureKind, result: { ...outcome, code: error.code } });
    throw afterCall(error, true);
  }
}
