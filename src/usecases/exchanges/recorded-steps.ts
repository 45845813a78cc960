import type { AddressQuestion } from '../../carriers/adapter.ts';
import {
  Company,
  Connection,
  Contract,
  Customer,
  type Exchange,
  Operation,
  OperationItem,
  Order,
  ShipmentAttempt,
  TrackingEvent,
} from '../../db/entities/index.ts';
import { systemEm } from '../../db/orm.ts';
import { connectionSeal } from '../../engine/call-connection.ts';
import { carrierOf, contractSeal } from '../../engine/call-contract.ts';
import type { Deps } from '../../engine/deps.ts';
import { type Booking, handleOf, loadBooking } from '../../engine/shipment-draft.ts';
import { nextWorkingDay, type Wish } from '../held/release-held.ts';
import { readOutgoing } from '../marketplaces/outgoing.ts';
import { confirmationOf } from '../marketplaces/shipment-confirmation.ts';
import { type Made, made, madeOfAttempt } from './made.ts';
import { attemptSteps } from './recorded-attempts.ts';
import type { Step } from './replay-group.ts';

/** The account and the methods that stored answers may belong to, or the reason why they cannot be replayed. */
export type Plan = { account: unknown; steps: Step[] } | { reason: string };

export type ExchangeKey = Pick<
  Exchange,
  'companyId' | 'shipmentId' | 'attemptId' | 'requestId' | 'provider' | 'startedAt'
>;

/** Rebuilds the arguments of the methods from the current rows. */
export async function planOf(deps: Deps, key: ExchangeKey): Promise<Plan> {
  const attempt =
    key.attemptId === null ? null : await systemEm(deps.orm).findOne(ShipmentAttempt, { id: key.attemptId });
  const shipmentId = key.shipmentId ?? attempt?.shipmentId ?? null;
  if (shipmentId === null) return planOfQuestion(deps, key);
  const booking = await loadBooking(deps.orm, shipmentId);
  if (!booking) return { reason: 'its shipment was deleted' };
  if (deps.marketplaces.has(key.provider)) return planOfSend(deps, { key, booking, attempt });
  const { contract } = booking;
  const account = deps.vault.open(contract.credentials, contractSeal(contract.id));
  if (attempt?.operation === 'release') {
    return { account, steps: [await releaseStep(deps, { key, booking, attempt })] };
  }
  if (attempt) return { account, steps: await attemptSteps(deps, { booking, attempt }) };
  return { account, steps: await lookSteps(deps, booking) };
}

/** Exchanges without an attempt changed nothing: a poll of the parcel, or another request for its labels. */
async function lookSteps(deps: Deps, { shipment, draft }: Booking): Promise<Step[]> {
  const rows = await systemEm(deps.orm).find(TrackingEvent, { shipmentId: shipment.id });
  const details = rows.map(({ occurredAt, code, status }) => `${occurredAt.toISOString()} ${code} ${status}`);
  const handle = handleOf(shipment);
  const step = { isSure: false, isOnce: false };
  return [
    { ...step, method: 'track', input: { shipment: handle }, before: () => made('report', { details }) },
    { ...step, method: 'fetchLabels', input: { draft, shipment: handle }, before: () => null },
  ];
}

interface OfAttempt {
  key: ExchangeKey;
  booking: Booking;
  attempt: ShipmentAttempt;
}

async function releaseStep(deps: Deps, { key, booking, attempt }: OfAttempt): Promise<Step> {
  const em = systemEm(deps.orm);
  const { shipment } = booking;
  const { requestId, companyId } = attempt;
  const operation = await em.findOneOrFail(
    Operation,
    { companyId, requestId, kind: 'release' },
    { orderBy: { id: 'desc' } },
  );
  const order = await em.findOneOrFail(Order, shipment.orderId);
  const customer = await em.findOneOrFail(Customer, order.customerId);
  const company = await em.findOneOrFail(Company, shipment.companyId);
  const { action, newAddress, note, pickupPointId = '' } = operation.input as unknown as Wish;
  const request = {
    shipment: handleOf(shipment),
    ...{ action, newAddress, note, pickupPointId },
    recipientPhone: customer.phone,
    redeliveryDate: nextWorkingDay(key.startedAt, company.settings.timeZone),
  };
  const before = (): Made | null => madeOfAttempt(attempt);
  return { method: 'releaseHeld', input: { request }, isSure: true, isOnce: true, before };
}

async function planOfSend(
  deps: Deps,
  { key, booking, attempt }: Omit<OfAttempt, 'attempt'> & { attempt: ShipmentAttempt | null },
): Promise<Plan> {
  const em = systemEm(deps.orm);
  const order = await em.findOneOrFail(Order, booking.shipment.orderId);
  const connection = order.connectionId === null ? null : await em.findOne(Connection, order.connectionId);
  if (!connection || !attempt) return { reason: 'the input of the call to the marketplace is not stored' };
  const { shipment } = booking;
  const outgoing = await readOutgoing(deps, em, { order, connection });
  const confirmation = await confirmationOf(deps, { order, shipment, outgoing, at: key.startedAt });
  const input = { confirmation, detected: connection.detected ?? {} };
  const before = (): Made | null => madeOfAttempt(attempt);
  return {
    account: deps.vault.open(connection.credentials, connectionSeal(connection.id)),
    steps: [{ method: 'confirmShipment', input, isSure: true, isOnce: true, before }],
  };
}

/** Handles exchanges without a shipment: only address checks can be replayed, because the input of other look-ups is not stored. */
async function planOfQuestion(deps: Deps, { companyId, requestId, provider }: ExchangeKey): Promise<Plan> {
  const em = systemEm(deps.orm);
  const operation =
    requestId === '' ? null : await em.findOne(Operation, { companyId, requestId, kind: 'check-address' });
  const item = operation && (await em.findOne(OperationItem, { operationId: operation.id }));
  if (!operation || !item?.contractId) {
    return { reason: 'it belongs to no shipment, and its input is not stored' };
  }
  const contract = await em.findOneOrFail(Contract, item.contractId);
  const carrier = await carrierOf(deps, contract.carrierId);
  if (carrier.id !== provider) return { reason: 'the contract is with another carrier now' };
  const question = operation.input as unknown as AddressQuestion;
  const before = (): Made | null => {
    if (item.status === 'failed') return made('failed', { message: item.message });
    const result = item.result as { status?: string; message?: string } | null;
    return result ? made('address', { message: result.message ?? '', details: [result.status ?? ''] }) : null;
  };
  return {
    account: deps.vault.open(contract.credentials, contractSeal(contract.id)),
    steps: [{ method: 'checkAddress', input: { question }, isSure: true, isOnce: false, before }],
  };
}
