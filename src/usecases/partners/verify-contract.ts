import { CarrierRow, Contract } from '../../db/entities/index.ts';
import { companyEm, type Em } from '../../db/orm.ts';
import { answerItem } from '../../engine/answer-item.ts';
import { callContract, supported } from '../../engine/call-contract.ts';
import type { Deps, JobContext } from '../../engine/deps.ts';
import { enqueue } from '../../engine/enqueue.ts';
import { notFound, unprocessable } from '../../engine/find.ts';
import { markMade, type Origin, originOf } from '../../engine/idempotency.ts';
import { openOperation } from '../../engine/open-operation.ts';
import { carrierQueue } from '../../queue/jobs.ts';

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

/** Asks the carrier whether it accepts the credentials. */
export async function verifyContract(deps: Deps, input: { itemId: number } & JobContext): Promise<void> {
  const outcome: ContractCheckOutcome = { checkedAt: deps.now().toISOString(), code: null };
  await answerItem(deps, input, {
    async ask({ item, em }) {
      const contract = await em.findOneOrFail(Contract, item.contractId ?? 0);
      const call = { ...input, contract, shipmentId: null, attemptId: null };
      await callContract(deps, call, (carrier, context) =>
        supported(carrier.verifyAccount?.bind(carrier), carrier, 'check without a shipment')(context),
      );
      return { message: '', result: outcome };
    },
    resultOf: ({ code }) => ({ ...outcome, code }),
  });
}
