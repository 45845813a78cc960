import type { AddressQuestion } from '../carriers/contract.ts';
import { CarrierRow, Contract, Operation, OperationItem } from '../db/entities/index.ts';
import { companyEm, systemEm } from '../db/orm.ts';
import { claimItem, releaseItem, settleItem } from '../db/queries/operations.ts';
import { IntegrationError } from '../lib/errors.ts';
import { carrierQueue } from '../queue/jobs.ts';
import { giveUp, RetryLater } from '../queue/queue-system.ts';
import { callContract, supported } from './call-contract.ts';
import type { Deps, JobContext } from './deps.ts';
import { unprocessable } from './find.ts';
import { type Origin, originOf } from './idempotency.ts';
import { type OpenedOperation, openOperation } from './open-operation.ts';

/** Queues an address question to the carrier of a contract. */
export async function requestAddressCheck(
  deps: Deps,
  input: Origin & { contractId: number; question: AddressQuestion },
): Promise<OpenedOperation> {
  const em = companyEm(deps.orm, input.companyId);
  const contract = await em.findOne(Contract, { id: input.contractId, deleteFlag: false });
  if (!contract) {
    throw unprocessable('There is no such carrier contract', [
      { pointer: '/carrierCompanyId', message: 'There is no such carrier contract' },
    ]);
  }
  const carrierRow = await em.findOneOrFail(CarrierRow, contract.carrierId);
  if (!deps.carriers.get(carrierRow.code)?.checkAddress) {
    throw unprocessable(`${carrierRow.name} has no address check`, [
      { pointer: '/carrierCompanyId', message: `${carrierRow.name} has no address check` },
    ]);
  }
  const opened = await em.transactional((tx) =>
    openOperation(tx, { ...originOf(input), kind: 'check-address', input: { ...input.question } }, [
      { contractId: contract.id },
    ]),
  );
  const itemId = opened.firstItemId;
  await deps.queues
    .add(carrierQueue(carrierRow.code), [
      { name: 'check-address', id: `check-address-${itemId}`, payload: { itemId, requestId: input.requestId } },
    ])
    .catch((err) => deps.log.warn({ err, itemId }, 'not queued now, the sweep will'));
  return opened;
}

/** Asks the carrier. A person waits, so the failure of a try is told at once when trying again is pointless. */
export async function checkAddress(deps: Deps, input: { itemId: number } & JobContext): Promise<void> {
  const em = systemEm(deps.orm);
  const item = await em.findOne(OperationItem, input.itemId);
  if (!item?.contractId) return;
  const claim = await claimItem(em, item.id);
  if (!claim) return;
  const contract = await em.findOneOrFail(Contract, item.contractId);
  const operation = await em.findOneOrFail(Operation, item.operationId);
  try {
    const answer = await callContract(
      deps,
      { ...input, contract, shipmentId: null, attemptId: null },
      (carrier, context) =>
        supported(
          carrier.checkAddress?.bind(carrier),
          carrier,
          'address check',
        )(context, operation.input as unknown as AddressQuestion),
    );
    await settleItem(
      em,
      { itemId: item.id, attempt: claim.attempt },
      { status: 'succeeded', message: '', result: { ...answer } },
    );
  } catch (error) {
    if (!(error instanceof IntegrationError)) throw error;
    const isOver = error.kind === 'permanent' || input.isLastTry;
    if (isOver)
      await settleItem(em, { itemId: item.id }, { status: 'failed', message: error.message, failureKind: error.kind });
    else await releaseItem(em, item.id, claim.attempt);
    throw error.kind === 'permanent' ? giveUp(error.message) : new RetryLater(error.message, error.retryAfterMs);
  }
}
