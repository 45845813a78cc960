import type { ShipmentDraft } from '../../carriers/adapter.ts';
import type { Company, Contract } from '../../db/entities/index.ts';
import { companyEm, type Em } from '../../db/orm.ts';
import { readSetUp } from '../../db/queries/read-set-up.ts';
import { findUsableContract, usableContracts } from '../../engine/contracts.ts';
import type { Deps } from '../../engine/deps.ts';
import { notFound, unprocessable } from '../../engine/find.ts';
import { type Origin, originOf } from '../../engine/idempotency.ts';
import { freshRates, type RatesAnswer, rateQuestion } from '../../engine/kept-rates.ts';
import { type OpenedOperation, openOperation } from '../../engine/open-operation.ts';
import { draftOf, loadShippable, type ShippableOrder } from '../../engine/shipment-draft.ts';
import { requestAnswer } from '../addresses/ask-carrier.ts';
import { Pricer } from './quote-shipment.ts';

export type { LiveRate } from '../../carriers/adapter.ts';

/** Requests live rates for an order from the carrier of a contract, unless a fresh answer is cached. */
export async function requestLiveRates(
  deps: Deps,
  input: Origin & { orderId: number; contractId: number },
): Promise<OpenedOperation> {
  const em = companyEm(deps.orm, input.companyId);
  const { company, shippable, pricer } = await loadQuestion(deps, em, input);
  const contract = await findUsableContract(em, input.contractId, { unknown: () => notFound('carrier contract') });
  const refused = pricer.refusal(shippable, contract);
  if (refused !== null) throw unprocessable(refused);
  const question = rateDraft(shippable, { company, contract });
  const asked = { contractId: contract.id, question: rateQuestion(question) };
  const known = (await freshRates(em, { questions: [asked], now: deps.now() })).get(contract.id);
  if (known) return answered(em, { ...originOf(input), contractId: contract.id, known });
  return requestAnswer(deps, { ...originOf(input), kind: 'live-rates', contractId: contract.id, question });
}

/** Requests live rates from all eligible carriers without a fresh answer in the cache. */
export async function requestAllLiveRates(
  deps: Deps,
  input: Origin & { orderId: number },
): Promise<{ contractId: number; operationId: number }[]> {
  const em = companyEm(deps.orm, input.companyId);
  const { company, shippable, pricer } = await loadQuestion(deps, em, input);
  const contracts = await usableContracts(em);
  const able = contracts.filter((one) => pricer.specOf(one)?.rates && pricer.refusal(shippable, one) === null);
  const drafts = able.map((contract) => ({
    contractId: contract.id,
    draft: rateDraft(shippable, { company, contract }),
  }));
  const questions = drafts.map(({ contractId, draft }) => ({ contractId, question: rateQuestion(draft) }));
  const known = await freshRates(em, { questions, now: deps.now() });
  const asked: { contractId: number; operationId: number }[] = [];
  for (const { contractId, draft } of drafts) {
    if (known.has(contractId)) continue;
    // It creates nothing, so a repeated request may ask again: the idempotency key is not used.
    const origin = { companyId: input.companyId, requestId: input.requestId };
    const { operationId } = await requestAnswer(deps, { ...origin, kind: 'live-rates', contractId, question: draft });
    asked.push({ contractId, operationId });
  }
  return asked;
}

/** Builds the draft for a rate request. It books nothing, so the reference only needs a valid form. */
export function rateDraft(
  shippable: ShippableOrder,
  { company, contract }: { company: Company; contract: Contract },
): ShipmentDraft {
  return draftOf(shippable, { company, contract, reference: 'AAA00000001', shipmentId: 1 });
}

async function loadQuestion(deps: Deps, em: Em, input: { companyId: number; orderId: number }) {
  const setUp = await readSetUp(deps.orm, input.companyId);
  const [shippable] = await loadShippable(deps.orm, setUp, [input.orderId]);
  if (!shippable) throw notFound('order');
  return { company: setUp.company, shippable, pricer: await Pricer.open(deps, em, { setUp, shippables: [shippable] }) };
}

function answered(
  em: Em,
  { known, contractId, ...origin }: Origin & { contractId: number; known: RatesAnswer },
): Promise<OpenedOperation> {
  const result = { rates: known.rates, askedAt: known.askedAt.toISOString() };
  const settled = { status: 'succeeded' as const, message: '', result };
  return em.transactional((tx) =>
    openOperation(tx, { ...origin, kind: 'live-rates', input: {} }, [{ contractId, settled }]),
  );
}
