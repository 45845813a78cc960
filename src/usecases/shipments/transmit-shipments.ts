import type { TransmitResult } from '../../carriers/adapter.ts';
import { Contract, Shipment } from '../../db/entities/index.ts';
import { type Em, systemEm } from '../../db/orm.ts';
import { moveShipments } from '../../db/queries/move-shipments.ts';
import { settleShipmentItems } from '../../db/queries/operations.ts';
import { type Attempt, attempted, type Begin } from '../../engine/attempted.ts';
import { callContract, supported } from '../../engine/call-contract.ts';
import type { Deps, JobContext } from '../../engine/deps.ts';
import { handleOf } from '../../engine/shipment-draft.ts';
import { IntegrationError } from '../../lib/errors.ts';
import { type CarrierList, insertCarrierLists, storeCarrierLists } from './carrier-lists.ts';
import { markTransmitted } from './request-transmit.ts';

/**
 * Confirms booked shipments of one contract to their carrier. Confirming twice succeeds twice, so whatever failed may be
 * repeated; the claim keeps two workers from doing it at the same time.
 */
export async function transmitShipments(deps: Deps, input: { shipmentIds: number[] } & JobContext): Promise<void> {
  // What the carrier said about each reference, once it has answered.
  let said: ReadonlyMap<string, TransmitResult> = new Map();
  const saidOf = ({ shipment }: Attempt) => said.get(shipment.reference ?? '');
  const isDone = (attempt: Attempt) => saidOf(attempt)?.outcome === 'succeeded';
  await attempted<Attempt[], CarrierList[]>(deps, input, {
    operation: 'transmit',
    claim: (tx, begin) => claimCreated(tx, input.shipmentIds, begin),
    async call(claims, claimedAt) {
      const shipments = claims.map(({ shipment }) => shipment);
      const contract = await systemEm(deps.orm).findOneOrFail(Contract, shipments[0]?.contractId ?? 0);
      const shipmentId = shipments.length === 1 ? (shipments[0]?.id ?? null) : null;
      const call = { ...input, contract, shipmentId, attemptId: claims[0]?.attemptId ?? null, claimedAt };
      const results = await callContract(deps, call, (carrier, context) =>
        supported(carrier.transmitShipments?.bind(carrier), carrier, 'confirmation')(context, shipments.map(handleOf)),
      );
      said = new Map(results.map((result) => [result.reference, result]));
      return storeCarrierLists(deps, contract.companyId, { claims: claims.filter(isDone), byReference: said });
    },
    endOf: (_lists, attempt) => (isDone(attempt) ? { outcome: 'succeeded' } : refusalOf(saidOf(attempt))),
    async settle(tx, claims, lists) {
      const { requestId } = input;
      const shipmentIds = await markTransmitted(deps, tx, { claims: claims.filter(isDone), requestId });
      await insertCarrierLists(tx, lists);
      await settleShipmentItems(tx, { shipmentIds, kind: 'transmit' }, { status: 'succeeded', message: '' });
    },
    async fail(tx, attempt, { error, end, message, failureKind }) {
      const surplus = saidOf(attempt)?.hasSurplus ? { message: error.message, trackingNumbers: [] } : null;
      // The carrier's own no is the client's to read; anything else that ends here needs a person.
      const needsPerson = end === 'unknown' || (end === 'failed' && failureKind !== 'permanent');
      const code = end === 'unknown' ? 'confirmation-unknown' : error.code;
      // Back to created: confirming again is harmless.
      const [moved] = await moveShipments(tx, {
        ids: [attempt.shipment.id],
        fences: [attempt.fence],
        from: ['transmitting'],
        to: 'created',
        set: {
          failure: { code, message, retryable: true },
          exhausted_at: needsPerson ? deps.now() : null,
          ...(surplus ? { surplus } : {}),
        },
      });
      if (!moved || end === 'again') return;
      const target = { shipmentIds: [attempt.shipment.id], kind: 'transmit' as const };
      await settleShipmentItems(tx, target, { status: 'failed', message });
    },
  });
}

/** A carrier that says nothing about a shipment leaves it unknown. */
export function refusalOf(said: TransmitResult | undefined): IntegrationError {
  const isRefused = said?.outcome === 'failed';
  return new IntegrationError(said?.message ?? 'The carrier did not mention this shipment', {
    kind: isRefused ? 'permanent' : 'unknown-outcome',
    provider: '',
    code: isRefused ? 'refused' : 'not-mentioned',
    isAuthoritative: isRefused,
  });
}

/** Takes the shipments and puts an attempt on record for each. */
async function claimCreated(tx: Em, ids: number[], begin: Begin): Promise<Attempt[] | null> {
  const claimed = await moveShipments(tx, {
    ids,
    from: ['created'],
    to: 'transmitting',
    claim: true,
    set: { exhausted_at: null },
  });
  const fences = new Map(claimed.map((row) => [row.id, row.fence]));
  const shipments = await tx.find(Shipment, { id: { $in: [...fences.keys()] } }, { orderBy: { id: 'asc' } });
  const claims: Attempt[] = [];
  for (const shipment of shipments) claims.push(await begin(shipment, fences.get(shipment.id) ?? 0));
  return claims.length > 0 ? claims : null;
}
