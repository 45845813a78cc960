import type { Carrier, CarrierContext, PickupRequest } from '../../carriers/adapter.ts';
import { Company, Contract, OperationItem, Parcel, Pickup, Shipment, Warehouse } from '../../db/entities/index.ts';
import { type Em, systemEm } from '../../db/orm.ts';
import { claimItem, releaseItem, type Settlement, settleItem } from '../../db/queries/operations.ts';
import { carrierReference } from '../../domain/carrier-reference.ts';
import type { PickupStatus } from '../../domain/pickup-status.ts';
import { tryOnce } from '../../engine/attempted.ts';
import { type ContractCall, callContract, supported } from '../../engine/call-contract.ts';
import { concludeTry } from '../../engine/conclude-failure.ts';
import type { Deps, JobContext } from '../../engine/deps.ts';
import { handleOf, senderOf } from '../../engine/shipment-draft.ts';

/** What the carrier made of it, as kept on the pickup. */
interface Outcome {
  status: PickupStatus;
  confirmation?: string;
  message: string;
}

/** Asks the carrier to send its courier. A lost answer is not repeated: two couriers may come. */
export async function bookPickup(deps: Deps, input: { itemId: number } & JobContext): Promise<void> {
  await carryOut(deps, input, async (pickup, call) => {
    const request = await requestOf(systemEm(deps.orm), pickup, deps.vault.installationCode);
    const booked = await callContract(deps, call, (carrier, context) =>
      supported(carrier.bookPickup?.bind(carrier), carrier, 'pickups')(context, request),
    );
    return { status: 'booked', ...booked };
  });
}

/** Tells the carrier that nobody needs to come. */
export async function cancelPickup(deps: Deps, input: { itemId: number } & JobContext): Promise<void> {
  await carryOut(deps, input, async (pickup, call) => {
    const cancel = async (carrier: Carrier, context: CarrierContext<unknown>) =>
      supported(carrier.cancelPickup?.bind(carrier), carrier, 'cancelling of pickups')(context, pickup.confirmation);
    await callContract(deps, call, cancel);
    return { status: 'cancelled', message: '' };
  });
}

interface Claim {
  /** Fencing number. */
  fence: number;
  pickup: Pickup;
}

/** One try at an item of a pickup, and its end on both rows. The item itself remembers its tries: a pickup is no shipment. */
async function carryOut(
  deps: Deps,
  input: { itemId: number } & JobContext,
  run: (pickup: Pickup, call: ContractCall) => Promise<Outcome>,
): Promise<void> {
  const em = systemEm(deps.orm);
  const item = await em.findOne(OperationItem, input.itemId);
  if (!item?.pickupId || (item.kind !== 'book-pickup' && item.kind !== 'cancel-pickup')) return;
  const { id: itemId, kind, pickupId } = item;
  const keep = async (tx: Em, { fence, pickup }: Claim, outcome: Outcome | null, settlement: Settlement) => {
    if (!(await settleItem(tx, { itemId, fence }, settlement)) || !outcome) return;
    const { id, companyId } = pickup;
    await tx.nativeUpdate(Pickup, { id, companyId }, { ...outcome, updatedAt: deps.now() });
  };
  await tryOnce<Claim, Outcome>(deps, {
    async claim(tx) {
      const claim = await claimItem(tx, itemId);
      return claim && { ...claim, pickup: await tx.findOneOrFail(Pickup, pickupId) };
    },
    async call({ pickup }, claimedAt) {
      const contract = await em.findOneOrFail(Contract, pickup.contractId);
      return run(pickup, { ...input, contract, shipmentId: null, attemptId: null, claimedAt });
    },
    settle: (tx, claim, outcome) => keep(tx, claim, outcome, { status: 'succeeded', message: outcome.message }),
    async fail(tx, claim, error) {
      const wasUnknown = await hasUnknownItem(tx, item);
      const { isLastTry } = input;
      const { end, message, failureKind, reaction } = concludeTry(kind, { error, isLastTry, wasUnknown });
      if (end === 'again') {
        await releaseItem(tx, itemId, claim.fence, error.kind);
        return reaction;
      }
      // A cancellation that failed leaves the courier coming; it can be asked for again.
      const status = kind === 'cancel-pickup' ? 'booked' : end === 'unknown' ? 'unknown' : 'failed';
      const isNews = kind === 'book-pickup' || end === 'unknown';
      await keep(tx, claim, isNews ? { status, message } : null, { status: 'failed', message, failureKind });
      return reaction;
    },
  });
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
