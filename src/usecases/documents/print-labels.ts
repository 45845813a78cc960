import { ManifestItem, Shipment } from '../../db/entities/index.ts';
import { companyEm, type Em } from '../../db/orm.ts';
import { leadsOf } from '../../db/queries/joined-orders.ts';
import { findUnprinted } from '../../db/queries/printing.ts';
import { intArray } from '../../db/queries/sql.ts';
import type { LabelToPrint } from '../../documents/merge-labels.ts';
import type { SheetLayout } from '../../documents/sheet-layout.ts';
import type { Deps } from '../../engine/deps.ts';
import { readDocument } from '../../engine/document-store.ts';
import { notFound } from '../../engine/find.ts';
import { Problem, type Violation } from '../../lib/errors.ts';
import { findManifest } from '../manifests/read-manifests.ts';

/** The shipments whose labels to print, in this order. */
export type LabelSelection =
  | { by: 'shipmentIds' | 'orderIds'; ids: readonly number[] }
  | { by: 'manifestId'; id: number }
  | { by: 'unprinted'; limit: number };

/** `zpl`: for a label printer; `original`: as the carriers made them, all of one kind. */
export type LabelLayout = SheetLayout | 'zpl' | 'original';

/** Labels that can share one file. Their bytes are not read yet. */
export interface LabelPlan {
  companyId: number;
  contentType: 'application/pdf' | 'application/zpl';
  labels: readonly PlannedLabel[];
}

interface PlannedLabel {
  id: number;
  shipmentId: number;
  contentType: string;
  sha256: string;
  /** Names the shipment for people. */
  name: string;
}

type NamedShipment = Pick<Shipment, 'id' | 'trackingNumber'>;

/** One requested shipment: its place in the request, or its fault. */
interface Wanted {
  pointer: string;
  shipment: NamedShipment | null;
  /** The fault when there is no shipment. */
  message: string;
}

const ZPL = 'application/zpl';
const PDF = 'application/pdf';

/** Finds the labels of a list of shipments. Throws one `Problem` with every reason why a label cannot be printed. */
export async function planLabels(
  deps: Pick<Deps, 'orm'>,
  input: { companyId: number; selection: LabelSelection; layout: LabelLayout },
): Promise<LabelPlan> {
  const em = companyEm(deps.orm, input.companyId);
  const wanted = await findWanted(em, input);
  const labels = await findLabels(em, input.companyId, wanted);
  const all = wanted.flatMap(({ shipment }) => labels.get(shipment?.id ?? 0) ?? []);
  const contentType = wantedType(input.layout, all);
  if (input.selection.by === 'unprinted') return planUnprinted(input.companyId, all, contentType);
  const faults = wanted.flatMap((one): Violation[] => {
    const message = faultOf(one, labels.get(one.shipment?.id ?? 0) ?? [], contentType);
    return message === null ? [] : [{ in: 'query', pointer: one.pointer, message }];
  });
  if (faults.length > 0) throw unprintable(faults);
  return { companyId: input.companyId, contentType, labels: all };
}

/** The client named no shipments, so labels of the other kind are no fault: a separate call prints them. */
function planUnprinted(
  companyId: number,
  all: readonly PlannedLabel[],
  contentType: LabelPlan['contentType'],
): LabelPlan {
  const other = new Set(all.filter((label) => label.contentType !== contentType).map((label) => label.shipmentId));
  const labels = all.filter((label) => !other.has(label.shipmentId));
  const message = 'No label of this kind waits to be printed';
  if (labels.length === 0) throw unprintable([{ in: 'query', pointer: '/printed', message }]);
  return { companyId, contentType, labels };
}

/** Finds the labels of one shipment, in the order of its parcels. */
export async function planShipmentLabels(
  deps: Pick<Deps, 'orm'>,
  input: { companyId: number; shipmentId: number; layout: LabelLayout },
): Promise<LabelPlan> {
  const { companyId, shipmentId, layout } = input;
  const em = companyEm(deps.orm, companyId);
  const shipment = await em.findOne(Shipment, shipmentId);
  if (!shipment) throw notFound('shipment');
  const labels = (await findLabels(em, companyId, [{ pointer: '', shipment, message: '' }])).get(shipmentId) ?? [];
  if (labels.length === 0) throw notFound('label');
  const contentType = wantedType(layout, labels);
  const message = faultOf({ pointer: '', shipment, message: '' }, labels, contentType);
  if (message !== null) throw unprintable([{ in: 'query', pointer: '/format', message }]);
  return { companyId, contentType, labels };
}

/** Reads one label after the other, each on demand. */
export async function* readPlanned(deps: Pick<Deps, 'documents'>, plan: LabelPlan): AsyncGenerator<LabelToPrint> {
  const { companyId } = plan;
  for (const { id, name } of plan.labels) {
    yield { bytes: await readDocument(deps.documents, { companyId, id }), name };
  }
}

async function findWanted(
  em: Em,
  { companyId, selection }: { companyId: number; selection: LabelSelection },
): Promise<Wanted[]> {
  if (selection.by === 'manifestId') {
    await findManifest(em, selection.id);
    const items = await em.find(
      ManifestItem,
      { manifestId: selection.id, restoredAt: null },
      { orderBy: { id: 'asc' }, fields: ['id', 'shipmentId'] },
    );
    const shipments = await shipmentsBy(em, companyId, { column: 'id', ids: items.map((item) => item.shipmentId) });
    return items.map((item) => ({
      pointer: '/manifestId',
      shipment: shipments.get(item.shipmentId)?.[0] ?? null,
      message: `There is no shipment ${item.shipmentId}`,
    }));
  }
  if (selection.by === 'unprinted') {
    const found = await findUnprinted(em, { companyId, limit: selection.limit });
    return found.map((shipment) => ({ pointer: '/printed', shipment, message: '' }));
  }
  const isByOrder = selection.by === 'orderIds';
  const leads = isByOrder ? await leadsOf(em, { companyId, orderIds: selection.ids }) : new Map<number, number>();
  // Joined orders share one label.
  const asked = new Map(selection.ids.map((id) => [leads.get(id) ?? id, id]));
  const shipments = await shipmentsBy(em, companyId, { column: isByOrder ? 'order_id' : 'id', ids: [...asked.keys()] });
  return [...asked].flatMap(([key, id], index): Wanted[] => {
    const pointer = `/${selection.by}/${index}`;
    const message = isByOrder ? `There is no shipment of order ${id}` : `There is no shipment ${id}`;
    return (shipments.get(key) ?? [null]).map((shipment) => ({ pointer, shipment, message }));
  });
}

/** Finds shipments by the requested column. An order has one valid outbound shipment, or one for each of its parts. */
async function shipmentsBy(
  em: Em,
  companyId: number,
  { column, ids }: { column: 'id' | 'order_id'; ids: readonly number[] },
): Promise<Map<number, NamedShipment[]>> {
  const valid =
    column === 'order_id' ? `and direction = 'outbound' and process_status not in ('cancelled', 'rejected')` : '';
  const rows = await em.execute<{ id: number; key: number; tracking_number: string | null }[]>(
    `select id, ${column} as key, tracking_number from shipments
      where company_id = ? and ${column} = any(?::int[]) ${valid} order by part_id, id`,
    [companyId, intArray(ids)],
  );
  const keyed = rows.map(({ id, key, tracking_number: trackingNumber }) => [key, { id, trackingNumber }] as const);
  return new Map([...Map.groupBy(keyed, ([key]) => key)].map(([key, own]) => [key, own.map(([, one]) => one)]));
}

async function findLabels(em: Em, companyId: number, wanted: readonly Wanted[]): Promise<Map<number, PlannedLabel[]>> {
  const shipments = new Map(wanted.flatMap(({ shipment }) => (shipment ? [[shipment.id, shipment] as const] : [])));
  const rows = await em.execute<{ id: number; shipment_id: number; content_type: string; sha256: string }[]>(
    `select id, shipment_id, content_type, sha256 from documents
      where company_id = ? and kind = 'label' and shipment_id = any(?::int[]) order by shipment_id, position`,
    [companyId, intArray([...shipments.keys()])],
  );
  const labels = rows.map((row) => ({
    id: row.id,
    shipmentId: row.shipment_id,
    contentType: row.content_type,
    sha256: row.sha256,
    name: `Spedizione ${shipments.get(row.shipment_id)?.trackingNumber ?? row.shipment_id}`,
  }));
  return Map.groupBy(labels, ({ shipmentId }) => shipmentId);
}

/** Returns the content type of the file. With `original` the first label decides it. */
function wantedType(layout: LabelLayout, labels: readonly PlannedLabel[]): LabelPlan['contentType'] {
  if (layout === 'zpl') return ZPL;
  return layout === 'original' && labels[0]?.contentType === ZPL ? ZPL : PDF;
}

function faultOf(
  { shipment, message }: Wanted,
  labels: readonly PlannedLabel[],
  contentType: LabelPlan['contentType'],
): string | null {
  if (!shipment) return message;
  if (labels.length === 0) return `Shipment ${shipment.id} has no label`;
  if (labels.every((label) => label.contentType === contentType)) return null;
  return contentType === PDF
    ? `The label of shipment ${shipment.id} is ZPL, which is not converted: print it separately with zpl`
    : `The label of shipment ${shipment.id} is a PDF: print it separately without zpl`;
}

function unprintable(violations: Violation[]): Problem {
  return new Problem('Some labels cannot be printed', {
    status: 422,
    code: 'rule-broken',
    title: 'The request cannot be carried out',
    violations,
  });
}
