import type { LabelFile } from '../../carriers/adapter.ts';
import { systemEm } from '../../db/orm.ts';
import { callContract, supported } from '../../engine/call-contract.ts';
import type { Deps, JobContext } from '../../engine/deps.ts';
import { handleOf, loadBooking } from '../../engine/shipment-draft.ts';
import { IntegrationError } from '../../lib/errors.ts';
import { afterCall, RetryLater } from '../../queue/retry.ts';
import { settleMissingLabels, storeMissingLabels } from './settle-booked.ts';

/** Requests the labels of a shipment that was booked without them. Idempotent. */
export async function fetchLabels(deps: Deps, input: { shipmentId: number } & JobContext): Promise<void> {
  const em = systemEm(deps.orm);
  const booking = await loadBooking(deps.orm, input.shipmentId);
  if (!booking?.shipment.labelMissingSince) return;
  const { shipment, contract, draft } = booking;
  const call = { ...input, contract, shipmentId: shipment.id, attemptId: null };
  let labels: LabelFile[];
  try {
    labels = await callContract(deps, call, (carrier, context) =>
      supported(carrier.fetchLabels?.bind(carrier), carrier, 'way to give a label out again')(
        context,
        draft,
        handleOf(shipment),
      ),
    );
  } catch (error) {
    if (!(error instanceof IntegrationError)) throw error;
    throw afterCall(error);
  }
  if (labels.length === 0) throw new RetryLater(`The carrier has no label of ${shipment.trackingNumber} yet`);
  const missing = await storeMissingLabels(deps, shipment, labels);
  await em.transactional((tx) => settleMissingLabels(tx, missing));
}
