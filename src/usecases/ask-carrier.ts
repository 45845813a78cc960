import type {
  AddressQuestion,
  Carrier,
  CarrierContext,
  LiveRate,
  PickupPointQuestion,
  ShipmentDraft,
} from '../carriers/contract.ts';
import { CarrierRow, Contract, Operation, OperationItem } from '../db/entities/index.ts';
import { companyEm, type Em, systemEm } from '../db/orm.ts';
import { claimItem, releaseItem, settleItem } from '../db/queries/operations.ts';
import { IntegrationError } from '../lib/errors.ts';
import { carrierQueue } from '../queue/jobs.ts';
import { giveUp, RetryLater } from '../queue/queue-system.ts';
import { callContract, supported } from './call-contract.ts';
import type { Deps, JobContext } from './deps.ts';
import { enqueue } from './enqueue.ts';
import { unprocessable } from './find.ts';
import { type Origin, originOf } from './idempotency.ts';
import { keepRates } from './kept-rates.ts';
import { type OpenedOperation, openOperation } from './open-operation.ts';

/** A question to a carrier, for somebody who waits; its kind is that of its operation and its job. */
interface Question {
  /** As in "This carrier has no …". */
  name: string;
  isOffered(carrier: Carrier): boolean;
  ask(carrier: Carrier, context: CarrierContext<unknown>, input: unknown): Promise<Record<string, unknown>>;
  /** Remembers the answer for whoever asks the same. */
  keep?(em: Em, asked: { contract: Contract; input: unknown; result: Record<string, unknown> }): Promise<void>;
}

export type QuestionKind = 'check-address' | 'pickup-points' | 'live-rates';

/** They only read, so asking again is harmless. */
const QUESTIONS: Readonly<Record<QuestionKind, Question>> = {
  'check-address': {
    name: 'address check',
    isOffered: (carrier) => carrier.checkAddress !== undefined,
    ask: async (carrier, context, input) => ({
      ...(await supported(
        carrier.checkAddress?.bind(carrier),
        carrier,
        'address check',
      )(context, input as AddressQuestion)),
    }),
  },
  'pickup-points': {
    name: 'lockers and shops',
    isOffered: (carrier) => carrier.findPickupPoints !== undefined,
    ask: async (carrier, context, input) => ({
      points: await supported(
        carrier.findPickupPoints?.bind(carrier),
        carrier,
        'lockers and shops',
      )(context, input as PickupPointQuestion),
    }),
  },
  'live-rates': {
    name: 'live rates',
    isOffered: (carrier) => carrier.rates !== undefined,
    ask: async (carrier, context, input) => ({
      rates: await supported(carrier.rates?.bind(carrier), carrier, 'live rates')(context, input as ShipmentDraft),
      askedAt: context.now().toISOString(),
    }),
    keep: (em, { contract, input, result }) =>
      keepRates(em, {
        companyId: contract.companyId,
        contractId: contract.id,
        draft: input as ShipmentDraft,
        rates: result.rates as LiveRate[],
        askedAt: new Date(String(result.askedAt)),
      }),
  },
};

/** Queues a question to the carrier of a contract. */
export async function requestAnswer(
  deps: Deps,
  input: Origin & { contractId: number } & (
      | { kind: 'check-address'; question: AddressQuestion }
      | { kind: 'pickup-points'; question: PickupPointQuestion }
      | { kind: 'live-rates'; question: ShipmentDraft }
    ),
): Promise<OpenedOperation> {
  const { kind } = input;
  const em = companyEm(deps.orm, input.companyId);
  const contract = await em.findOne(Contract, { id: input.contractId, deleteFlag: false });
  if (!contract) {
    throw unprocessable('There is no such carrier contract', [
      { pointer: '/carrierCompanyId', message: 'There is no such carrier contract' },
    ]);
  }
  const carrierRow = await em.findOneOrFail(CarrierRow, contract.carrierId);
  const carrier = deps.carriers.get(carrierRow.code);
  if (!carrier || !QUESTIONS[kind].isOffered(carrier)) {
    const message = `${carrierRow.name} has no ${QUESTIONS[kind].name}`;
    throw unprocessable(message, [{ pointer: '/carrierCompanyId', message }]);
  }
  const opened = await em.transactional((tx) =>
    openOperation(tx, { ...originOf(input), kind, input: { ...input.question } }, [{ contractId: contract.id }]),
  );
  const itemId = opened.firstItemId;
  const job = { name: kind, id: `${kind}-${itemId}`, payload: { itemId, requestId: input.requestId } };
  await enqueue(deps, carrierQueue(carrierRow.code), [job]);
  return opened;
}

/** Asks the carrier. A person waits, so the failure of a try is told at once when trying again is pointless. */
export async function askCarrier(deps: Deps, input: { itemId: number } & JobContext): Promise<void> {
  const em = systemEm(deps.orm);
  const item = await em.findOne(OperationItem, input.itemId);
  if (!item?.contractId || !(item.kind in QUESTIONS)) return;
  const { ask, keep } = QUESTIONS[item.kind as QuestionKind];
  const claim = await claimItem(em, item.id);
  if (!claim) return;
  const contract = await em.findOneOrFail(Contract, item.contractId);
  const operation = await em.findOneOrFail(Operation, item.operationId);
  const held = { itemId: item.id, attempt: claim.attempt };
  try {
    const call = { ...input, contract, shipmentId: null, attemptId: null };
    const result = await callContract(deps, call, (carrier, context) => ask(carrier, context, operation.input));
    await keep?.(em, { contract, input: operation.input, result });
    await settleItem(em, held, { status: 'succeeded', message: '', result });
  } catch (error) {
    if (!(error instanceof IntegrationError)) throw error;
    const { message, kind: failureKind } = error;
    const isOver = failureKind === 'permanent' || input.isLastTry;
    if (isOver) await settleItem(em, held, { status: 'failed', message, failureKind });
    else await releaseItem(em, item.id, claim.attempt);
    throw failureKind === 'permanent' ? giveUp(message) : new RetryLater(message, error.retryAfterMs);
  }
}
