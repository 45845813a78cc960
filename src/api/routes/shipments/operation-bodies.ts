import type { OperationView } from '../../../engine/read-operation.ts';
import { readBookedShipments } from '../../../usecases/shipments/read-results.ts';
import { BASE_PATH } from '../../http/base-path.ts';
import { refusedCancellation } from '../../http/operation-reply.ts';
import type { ApiDeps, OperationBody } from '../../http/route.ts';

/** A batch result with the shipment of each order that has one. The label's URL needs the API key and does not expire. */
async function bookedBody(deps: ApiDeps, view: OperationView, companyId: number) {
  const body = batchBody(view);
  const booked = view.items.filter((item) => item.status === 'succeeded');
  const shipmentIds = booked.flatMap(({ shipmentId }) => shipmentId ?? []);
  const known = await readBookedShipments(deps, { companyId, shipmentIds });
  const shipments = booked.flatMap(({ orderId, shipmentId }) => {
    const shipment = known.get(shipmentId ?? 0);
    if (orderId === null || !shipment) return [];
    const { trackingNumber, hasLabel } = shipment;
    const labelUrl = hasLabel ? `${deps.settings.publicUrl}${BASE_PATH}/shipment/${shipment.shipmentId}/label` : null;
    const part = shipment.partId === null ? {} : { partId: shipment.partId };
    return [{ orderId, ...part, shipmentId: shipment.shipmentId, trackingNumber, labelUrl }];
  });
  return { ...body, details: { ...body.details, shipments } };
}

const PAST: Record<string, string> = { create: 'created', transmit: 'transmitted' };

/** Returns the result per order, also while some are still in progress. */
function batchBody({ operation, items, open }: OperationView) {
  // A split order has one item per part: it is done when all of them are.
  const undone = new Set(items.flatMap(({ status, orderId }) => (status === 'succeeded' ? [] : (orderId ?? []))));
  const done = items.flatMap(({ orderId }) => (orderId !== null && !undone.has(orderId) ? [orderId] : []));
  const errors = items.flatMap((item) =>
    item.status === 'failed' && item.orderId !== null ? [{ id: item.orderId, message: item.message }] : [],
  );
  const parts = [
    `${items.filter(({ status }) => status === 'succeeded').length} of ${items.length} ${PAST[operation.kind] ?? 'done'}`,
    ...(errors.length > 0 ? [`${errors.length} failed`] : []),
    ...(open > 0 ? [`${open} still in progress`] : []),
  ];
  return {
    success: open === 0 && errors.length === 0,
    message: parts.join(', '),
    total: items.length,
    details: { success: [...new Set(done)], errors },
  };
}

function cancelBody({ items }: OperationView): boolean {
  const item = items[0];
  if (item?.status === 'failed') throw refusedCancellation(item);
  return item?.status === 'succeeded';
}

export const shipmentBodies = {
  create: bookedBody,
  transmit: (_deps, view) => batchBody(view),
  cancel: (_deps, view) => cancelBody(view),
} satisfies Record<string, OperationBody>;
