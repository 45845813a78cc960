import { CarrierRow, Company, Contract } from '../db/entities/index.ts';
import { companyEm } from '../db/orm.ts';
import { requestAnswer } from './ask-carrier.ts';
import type { Deps } from './deps.ts';
import { contractRefusal, orderRefusal } from './eligibility.ts';
import { notFound, unprocessable } from './find.ts';
import { type Origin, originOf } from './idempotency.ts';
import type { OpenedOperation } from './open-operation.ts';
import { draftOf, loadShippable } from './shipment-draft.ts';

export type { LiveRate } from '../carriers/contract.ts';

/** Asks the carrier of a contract what an order would cost now. */
export async function requestLiveRates(
  deps: Deps,
  input: Origin & { orderId: number; contractId: number },
): Promise<OpenedOperation> {
  const em = companyEm(deps.orm, input.companyId);
  const company = await em.findOneOrFail(Company, input.companyId);
  const [shippable] = await loadShippable(em, company, [input.orderId]);
  if (!shippable) throw notFound('order');
  const contract = await em.findOne(Contract, { id: input.contractId, deleteFlag: false });
  if (!contract) throw notFound('carrier contract');
  const row = await em.findOneOrFail(CarrierRow, contract.carrierId);
  const carrier = deps.carriers.get(row.code);
  const refused = orderRefusal(shippable) ?? contractRefusal(shippable, { company, contract, carrier });
  if (refused !== null) throw unprocessable(refused);
  // Nothing is booked by a question: the reference only has to look like one.
  const question = draftOf(shippable, { company, contract, reference: 'AAA00000001', shipmentId: 1 });
  return requestAnswer(deps, { ...originOf(input), kind: 'live-rates', contractId: contract.id, question });
}
