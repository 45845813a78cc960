import type {
  AddressCheck,
  AddressQuestion,
  Carrier,
  CarrierContext,
  LiveRate,
  PickupPointQuestion,
  ShipmentDraft,
} from '../../carriers/adapter.ts';
import { CarrierRow, Contract, Operation, OperationItem } from '../../db/entities/index.ts';
import { companyEm, systemEm } from '../../db/orm.ts';
import { claimItem, releaseItem, settleItem } from '../../db/queries/operations.ts';
import { callContract, carrierOf, supported } from '../../engine/call-contract.ts';
import { findUsableContract } from '../../engine/contracts.ts';
import type { Deps, JobContext } from '../../engine/deps.ts';
import { enqueue } from '../../engine/enqueue.ts';
import { unprocessable } from '../../engine/find.ts';
import { type Origin, originOf } from '../../engine/idempotency.ts';
import { keepRates } from '../../engine/kept-rates.ts';
import { type OpenedOperation, openOperation } from '../../engine/open-operation.ts';
import { IntegrationError } from '../../lib/errors.ts';
import { carrierQueue } from '../../queue/jobs.ts';
import { afterCall } from '../../queue/retry.ts';
import { answerOfCarrier, answerOfGazetteer } from './address-answers.ts';
import { keepVerdict } from './address-verdicts.ts';

/** A look-up at a carrier for a client who waits. Its kind is also the kind of its operation and its job. */
interface Question {
  /** Completes the sentence "This carrier has no …". */
  name: string;
  isOffered(carrier: Carrier): boolean;
  ask(carrier: Carrier, context: CarrierContext<unknown>, input: unknown): Promise<Record<string, unknown>>;
  /** Returns an answer without the carrier, when the carrier lacks this look-up; absent: there is none. */
  instead?(carrier: Carrier, input: unknown): Record<string, unknown>;
  /** Stores what is worth keeping of the carrier's answer and returns the client's answer; absent: they are the same. */
  conclude?(deps: Deps, answered: Answered): Promise<Record<string, unknown>>;
}

interface Answered {
  contract: Contract;
  input: unknown;
  answer: Record<string, unknown>;
}

export type QuestionKind = 'check-address' | 'pickup-points' | 'live-rates';

/** All of them only read, so a repeat is harmless. */
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
    instead: (carrier, input) => ({ ...answerOfGazetteer(carrier, input as AddressQuestion) }),
    conclude: concludeAddressCheck,
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
    conclude: concludeRates,
  },
};

async function concludeAddressCheck(
  deps: Deps,
  { contract, input, answer }: Answered,
): Promise<Record<string, unknown>> {
  const { companyId, carrierId } = contract;
  const carrier = await carrierOf(deps, carrierId);
  const told = answerOfCarrier(carrier, input as AddressQuestion, answer as unknown as AddressCheck);
  const verdict = { companyId, carrierId, asked: input as AddressQuestion, now: deps.now() };
  await keepVerdict(companyEm(deps.orm, companyId), {
    ...verdict,
    answer: { ...told, message: String(answer.message ?? '') },
  });
  return { ...told };
}

async function concludeRates(deps: Deps, { contract, input, answer }: Answered): Promise<Record<string, unknown>> {
  const { companyId, id: contractId } = contract;
  const [rates, askedAt] = [answer.rates as LiveRate[], new Date(String(answer.askedAt))];
  const em = companyEm(deps.orm, companyId);
  await keepRates(em, { companyId, contractId, draft: input as ShipmentDraft, rates, askedAt });
  return answer;
}

/** Queues a look-up at the carrier of a contract. A look-up that needs no carrier is answered at once. */
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
  const pointer = '/carrierCompanyId';
  const atFault = (message: string) => unprocessable(message, [{ pointer, message }]);
  const unknown = () => atFault('There is no such carrier contract');
  const contract = await findUsableContract(em, input.contractId, { unknown, pointer });
  const carrierRow = await em.findOneOrFail(CarrierRow, contract.carrierId);
  const carrier = deps.carriers.get(carrierRow.code);
  const { isOffered, instead, name } = QUESTIONS[kind];
  const known = carrier && !isOffered(carrier) ? instead?.(carrier, input.question) : undefined;
  if (!carrier || !(known || isOffered(carrier))) {
    throw atFault(`${carrierRow.name} has no ${name}`);
  }
  const settled = known ? { settled: { status: 'succeeded' as const, message: '', result: known } } : {};
  const opened = await em.transactional((tx) =>
    openOperation(tx, { ...originOf(input), kind, input: { ...input.question } }, [
      { contractId: contract.id, ...settled },
    ]),
  );
  if (known) return opened;
  const itemId = opened.firstItemId;
  const { companyId, requestId } = input;
  const job = { name: kind, id: `${kind}-${itemId}`, companyId, payload: { itemId, requestId } };
  await enqueue(deps, carrierQueue(carrierRow.code), [job]);
  return opened;
}

/** Calls the carrier. A person waits, so a failure that a retry cannot fix is reported at once. */
export async function askCarrier(deps: Deps, input: { itemId: number } & JobContext): Promise<void> {
  const em = systemEm(deps.orm);
  const item = await em.findOne(OperationItem, input.itemId);
  if (!item?.contractId || !(item.kind in QUESTIONS)) return;
  const { ask, conclude } = QUESTIONS[item.kind as QuestionKind];
  const claim = await claimItem(em, item.id);
  if (!claim) return;
  const contract = await em.findOneOrFail(Contract, item.contractId);
  const operation = await em.findOneOrFail(Operation, item.operationId);
  const held = { itemId: item.id, fence: claim.fence };
  try {
    const call = { ...input, contract, shipmentId: null, attemptId: null };
    const answer = await callContract(deps, call, (carrier, context) => ask(carrier, context, operation.input));
    const result = (await conclude?.(deps, { contract, input: operation.input, answer })) ?? answer;
    await settleItem(em, held, { status: 'succeeded', message: '', result });
  } catch (error) {
    if (!(error instanceof IntegrationError)) throw error;
    const { message, kind: failureKind } = error;
    const isOver = failureKind === 'permanent' || input.isLastTry;
    if (isOver) await settleItem(em, held, { status: 'failed', message, failureKind });
    else await releaseItem(em, item.id, claim.fence);
    throw afterCall(error);
  }
}
