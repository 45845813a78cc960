import type { TransmitResult } from '../carriers/contract.ts';
import { Contract, Shipment } from '../db/entities/index.ts';
import { systemEm } from '../db/orm.ts';
import { moveShipments } from '../db/queries/move-shipments.ts';
import { settleShipmentItems } from '../db/queries/operations.ts';
import { IntegrationError } from '../lib/errors.ts';
import { giveUp, RetryLater } from '../queue/queue-system.ts';
import { beginAttempt, endAttempt } from './attempts.ts';
import { callContract, supported } from './call-contract.ts';
import type { Deps, JobContext } from './deps.ts';
import { markTransmitted } from './request-transmit.ts';
import { handleOf } from './shipment-draft.ts';

/**
 * Confirms booked shipments of one contract to their carrier. Confirming twice succeeds twice, so whatever failed may be
 * repeated; the claim keeps two workers from doing it at the same time.
 */
export async function transmitShipments(deps: Deps, input: { shipmentIds: number[] } & JobContext): Promise<void> {
  const em = systemEm(deps.orm);
  const claimed = await moveShipments(em, {
    ids: input.shipmentIds,
    from: ['created'],
    to: 'transmitting',
    claim: true,
  });
  const shipments = await em.find(Shipment, { id: { $in: claimed.map((row) => row.id) } });
  const first = shipments[0];
  if (!first) return;
  const contract = await em.findOneOrFail(Contract, first.contractId);
  const attempts = new Map<number, number>();
  for (const shipment of shipments) {
    attempts.set(
      shipment.id,
      await beginAttempt(em, shipment, {
        operation: 'transmit',
        number: shipment.attempt,
        requestId: input.requestId,
      }),
    );
  }

  let results: TransmitResult[];
  try {
    results = await callContract(
      deps,
      {
        contract,
        shipmentId: shipments.length === 1 ? first.id : null,
        attemptId: attempts.get(first.id) ?? null,
        requestId: input.requestId,
        signal: input.signal,
      },
      (carrier, context) =>
        supported(carrier.transmitShipments?.bind(carrier), carrier, 'confirmation')(context, shipments.map(handleOf)),
    );
  } catch (error) {
    if (!(error instanceof IntegrationError)) throw error;
    const isOver = error.kind === 'permanent' || input.isLastTry;
    const outcome = error.kind === 'unknown-outcome' ? 'nobody_knows' : 'no';
    await settle(deps, { shipments, attempts, outcome, code: error.code, message: error.message, isOver });
    throw error.kind === 'permanent' ? giveUp(error.message) : new RetryLater(error.message, error.retryAfterMs);
  }

  const byReference = new Map(results.map((result) => [result.reference, result]));
  const done = shipments.filter((shipment) => byReference.get(shipment.reference ?? '')?.ok);
  await systemEm(deps.orm).transactional(async (tx) => {
    for (const shipment of done) await endAttempt(tx, attempts.get(shipment.id) ?? 0, { outcome: 'yes' });
    await markTransmitted(deps, tx, done);
    const shipmentIds = done.map((shipment) => shipment.id);
    await settleShipmentItems(tx, { shipmentIds, kind: 'transmit' }, { status: 'succeeded', message: '' });
  });
  for (const shipment of shipments.filter((one) => !done.includes(one))) {
    const message = byReference.get(shipment.reference ?? '')?.message ?? 'The carrier did not mention this shipment';
    await settle(deps, { shipments: [shipment], attempts, outcome: 'no', code: 'refused', message, isOver: true });
  }
}

/** Back to created: what was not confirmed can be confirmed again. */
async function settle(
  deps: Deps,
  end: {
    shipments: readonly Shipment[];
    attempts: Map<number, number>;
    outcome: 'no' | 'nobody_knows';
    code: string;
    message: string;
    isOver: boolean;
  },
): Promise<void> {
  const shipmentIds = end.shipments.map((shipment) => shipment.id);
  await systemEm(deps.orm).transactional(async (tx) => {
    for (const id of shipmentIds) await endAttempt(tx, end.attempts.get(id) ?? 0, end);
    await moveShipments(tx, {
      ids: shipmentIds,
      from: ['transmitting'],
      to: 'created',
      set: { failure: { code: end.code, message: end.message, retryable: true } },
    });
    if (!end.isOver) return;
    await settleShipmentItems(tx, { shipmentIds, kind: 'transmit' }, { status: 'failed', message: end.message });
  });
}
