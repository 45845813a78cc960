import { Document, Shipment } from '../../db/entities/index.ts';
import { companyEm } from '../../db/orm.ts';
import { markPrinted } from '../../db/queries/printing.ts';
import type { Deps } from '../../engine/deps.ts';
import { notFound, unprocessable } from '../../engine/find.ts';
import type { LabelPlan } from '../documents/print-labels.ts';

/** Marks the shipments of a plan as printed. A reprint keeps the first time. */
export async function markPlanPrinted(deps: Pick<Deps, 'orm' | 'now'>, plan: LabelPlan): Promise<void> {
  const { companyId, labels } = plan;
  const shipmentIds = [...new Set(labels.map((label) => label.shipmentId))];
  await markPrinted(companyEm(deps.orm, companyId), { companyId, shipmentIds, at: deps.now() });
}

/** Marks the label of one shipment as printed, or removes the mark. Returns the time of the first print; null: not printed. */
export async function setPrinted(
  deps: Pick<Deps, 'orm' | 'now'>,
  input: { companyId: number; shipmentId: number; isPrinted: boolean },
): Promise<Date | null> {
  const { companyId, shipmentId } = input;
  const em = companyEm(deps.orm, companyId);
  if ((await em.count(Shipment, shipmentId)) === 0) throw notFound('shipment');
  if (!input.isPrinted) {
    await em.nativeUpdate(Shipment, { id: shipmentId }, { printedAt: null });
    return null;
  }
  if ((await em.count(Document, { shipmentId, kind: 'label' })) === 0) {
    throw unprocessable(`Shipment ${shipmentId} has no label yet`);
  }
  await markPrinted(em, { companyId, shipmentIds: [shipmentId], at: deps.now() });
  return (await em.findOneOrFail(Shipment, shipmentId)).printedAt;
}
