import type { Carrier, CarrierContext, PickupRequest } from '../../carriers/adapter.ts';
import { Company, Contract, OperationItem, Parcel, Pickup, Shipment, Warehouse } from '../../db/entities/index.ts';
import { type Em, systemEm } from '../../db/orm.ts';
import { claimItem, releaseItem, settleItem } from '../../db/queries/operations.ts';
import { carrierReference } from '../../domain/carrier-reference.ts';
import type { PickupStatus } from '../../domain/pickup-status.ts';
import { callContract, supported } from '../../engine/call-contract.ts';
import { concludeTry } from '../../engine/conclude-failure.ts';
import type { Deps, JobContext } from '../../engine/deps.ts';
import { handleOf, senderOf } from '../../engine/shipment-draft.ts';
import { IntegrationError } from '../../lib/errors.ts';

/** What the carrier made of it, as kept on the pickup. */
interface Outcome {
  status: PickupStatus;
  confirmation?: string;
  message: string;
}

/** Asks the carrier to send its courier. A lost answer is not repeated: two couriers may come. */
export async function bookPickup(deps: Deps, input: { itemId: number } & JobContext): Promise<void> {
  await carryOut(deps, input, async ({ em, pickup, contract, claimedAt }) => {
    const request = await requestOf(em, pickup, deps.vault.installationCode);
    const call = { ...input, contract, shipmentId: null, attemptId: null, claimedAt };
    const booked = await callContract(deps, call, (carrier, context) =>
      supported(carrier.bookPickup?.bind(carrier), carrier, 'pickups')(context, request),
    );
    return { status: 'booked', ...booked };
  });
}

/** Tells the carrier that nobody needs to come. */
export async function cancelPickup(deps: Deps, input: { itemId: number } & JobContext): Promise<void> {
  await carryOut(deps, input, async ({ pickup, contract, claimedAt }) => {
    const call = { ...input, contract, shipmentId: null, attemptId: null, claimedAt };
    const cancel = async (carrier: Carrier, context: CarrierContext<unknown>) =>
      supported(carrier.cancelPickup?.bind(carrier), carrier, 'cancelling of pickups')(context, pickup.confirmation);
    await callContract(deps, call, cancel);
    return { status: 'cancelled', message: '' };
  });
}

interface Case {
  em: Em;
  pickup: Pickup;
  contract: Contract;
  /** Just before the claim, in ms since the epoch: nothing may be sent once its lease may be over. */
  claimedAt: number;
}

/** One try at an item of a pickup, and what came of it on both rows. */
async function carryOut(
  deps: Deps,
  input: { itemId: number } & JobContext,
  run: (one: Case) => Promise<Outcome>,
): Promise<void> {
  const em = systemEm(deps.orm);
  const item = await em.findOne(OperationItem, input.itemId);
  if (!item?.pickupId || (item.kind !== 'book-pickup' && item.kind !== 'cancel-pickup')) return;
  const { kind } = item;
  const claimedAt = Date.now();
  const claim = await claimItem(em, item.id);
  if (!claim) return;
  const pickup = await em.findOneOrFail(Pickup, item.pickupId);
  const contract = await em.findOneOrFail(Contract, pickup.contractId);
  const held = { itemId: item.id, attempt: claim.attempt };
  const keep = (outcome: Outcome | null, settlement: Parameters<typeof settleItem>[2]): Promise<void> =>
    em.transactional(async (tx) => {
      if (!(await settleItem(tx, held, settlement)) || !outcome) return;
      const { id, companyId } = pickup;
      await tx.nativeUpdate(Pickup, { id, companyId }, { ...outcome, updatedAt: deps.now() });
    });
  try {
    const outcome = await run({ em, pickup, contract, claimedAt });
    await keep(outcome, { status: 'succeeded', message: outcome.message });
  } catch (error) {
    if (!(error instanceof IntegrationError)) throw error;
    const wasUnknown = await hasUnknownItem(em, item);
    const { isLastTry } = input;
    const { end, message, failureKind, reaction } = concludeTry(kind, { error, isLastTry, wasUnknown });
    if (end === 'again') {
      await releaseItem(em, item.id, claim.attempt, error.kind);
      throw reaction;
    }
    // A cancellation that failed leaves the courier coming; it can be asked for again.
    const status = kind === 'cancel-pickup' ? 'booked' : end === 'unknown' ? 'unknown' : 'failed';
    const isNews = kind === 'book-pickup' || end === 'unknown';
    await keep(isNews ? { status, message } : null, { status: 'failed', message, failureKind });
    throw reaction;
  }
}

/** Whether an earlier try at the same, for this request or another, may have been carried out. */
async function hasUnknownItem(em: Em, { companyId, pickupId, kind }: OperationItem): Promise<boolean> {
  return (await em.count(OperationItem, { companyId, pickupId, kind, failureKind: 'unknown-outcome' })) > 0;
}

async function requestOf(em: Em, pickup: Pickup, installationCode: string): Promise<PickupRequest> {
  const { companyId, date, fromTime: from, toTime: to, note } = pickup;
  const company = await em.findOneOrFail(Company, companyId);
  const warehouse =
    pickup.warehouseId === null ? null : await em.findOneOrFail(Warehouse, { id: pickup.warehouseId, companyId });
  const ids = pickup.shipmentIds;
  const shipments = await em.find(Shipment, { companyId, id: { $in: ids } }, { orderBy: { id: 'asc' } });
  const parcels = await em.find(Parcel, { companyId, shipmentId: { $in: ids } }, { orderBy: { id: 'asc' } });
  return {
    reference: `P${carrierReference(installationCode, pickup.id)}`,
    date,
    from,
    to,
    place: senderOf(company, warehouse),
    parcels: parcels.map(({ weightGrams, lengthMm, widthMm, heightMm }) => ({
      weightGrams,
      lengthMm,
      widthMm,
      heightMm,
    })),
    shipments: shipments.map(handleOf),
    note,
  };
}
