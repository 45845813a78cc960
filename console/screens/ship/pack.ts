import { api, body, type Schema } from '../../api/client.ts';
import { t } from '../../i18n/index.ts';

type Line = Schema['Packing']['lines'][number];

/** An order as it is now, with what to pack for it. */
export interface Pack {
  detail: Schema['OrderDetail'];
  packing: Schema['Packing'];
  /** Names the version of the order. */
  etag: string;
}

/** Reads an order to pack. */
export async function readPack(id: number): Promise<Pack> {
  const params = { path: { id } };
  const [detail, { data: packing, response }] = await Promise.all([
    body(api.GET('/api/v1/external/orders/{id}', { params })),
    api.GET('/api/v1/external/orders/{id}/packing', { params }),
  ]);
  return { detail, packing: packing as Schema['Packing'], etag: response.headers.get('ETag') ?? '' };
}

export type Verdict =
  | { name: 'packable' }
  /** It has its label. */
  | { name: 'shipped'; shipment: Schema['ShipmentSummary'] }
  /** The sentences say why; a shipment that needs a person has its id. */
  | { name: 'refused'; reasons: readonly string[]; deskId: number | null };

const OVER: readonly string[] = ['cancelled', 'rejected'];
const UNDER_WAY: readonly string[] = ['queued', 'submitting', 'cancelling'];

/** Tells whether an order can be shipped at the station now. */
export function judge({ detail }: Pack): Verdict {
  const { order, shipments, parts, problems } = detail;
  const refused = (reasons: readonly string[], deskId: number | null = null): Verdict => ({
    name: 'refused',
    reasons,
    deskId,
  });
  if (order.status === 'cancelled') return refused([t('ship.cancelled'), ...listed(detail.cancelReason)]);
  if (parts.length > 0) return refused([t('ship.split')]);
  const live = shipments.find(({ direction, status }) => direction === 'outbound' && !OVER.includes(status));
  if (live?.status === 'unknown_outcome') return refused([t('ship.unknown'), ...listed(live.error)], live.id);
  if (live && UNDER_WAY.includes(live.status)) return refused([t('ship.underWay')]);
  // A failed one sold nothing, so it is tried again.
  if (live && live.status !== 'failed') return { name: 'shipped', shipment: live };
  if (problems.length > 0) return refused([t('ship.problems'), ...problems]);
  return { name: 'packable' };
}

function listed(text: string | null): string[] {
  return text ? [text] : [];
}

/** How many pieces of each line are scanned, by the id of the line. */
export type Counts = Readonly<Record<number, number>>;

/** Counts a scanned product up; `wrong`: no line has it; `excess`: all of it is in the parcel already. */
export function count(lines: readonly Line[], counts: Counts, code: string): Counts | 'wrong' | 'excess' {
  const wanted = code.toLowerCase();
  const matching = lines.filter(({ codes }) => codes.some((one) => one.toLowerCase() === wanted));
  if (matching.length === 0) return 'wrong';
  const open = matching.find(({ itemId, quantity }) => (counts[itemId] ?? 0) < quantity);
  return open ? { ...counts, [open.itemId]: (counts[open.itemId] ?? 0) + 1 } : 'excess';
}

/** Returns how many pieces are not scanned yet. */
export function missing(lines: readonly Line[], counts: Counts): number {
  return lines.reduce((sum, { itemId, quantity }) => sum + quantity - (counts[itemId] ?? 0), 0);
}
