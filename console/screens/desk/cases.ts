import { useQuery } from '@tanstack/react-query';
import { api, body, type Schema } from '../../api/client.ts';
import { may, type Session } from '../../api/session.ts';

export type Attention = Schema['Attention'];
export type Stay = Schema['HeldStay'];

/** One shipment at the desk, with what either list knows about it. */
export interface Case {
  id: number;
  orderId: number;
  orderNumber: string;
  reference: string;
  trackingNumber: string;
  carrierName: string;
  /** `decided`: a decision that tracking has not shown yet. */
  group: (typeof GROUPS)[number];
  since: string;
  attention: Attention | null;
  stay: Stay | null;
}

export const GROUPS = ['open', 'announced', 'decided'] as const;

const PAGE = 200;
/** Some cases come by time alone, without an event. */
const AGAIN_MS = 60_000;

/** Returns all cases: first those to decide, then announced giacenze, then decisions; each group with its oldest first. */
export function useCases(session: Session) {
  return useQuery({
    queryKey: ['list', 'desk'],
    queryFn: () => readCases(may(session, 'held:read')),
    refetchInterval: AGAIN_MS,
  });
}

async function readCases(mayReadHeld: boolean): Promise<Case[]> {
  const [attention, held] = await Promise.all([
    allPages(
      (page) => body(api.GET('/api/v1/external/attention', { params: { query: page } })),
      ({ id }) => id,
    ),
    mayReadHeld
      ? allPages(
          (page) => body(api.GET('/api/v1/external/shipments/held', { params: { query: page } })),
          ({ shipmentId }) => shipmentId,
        )
      : [],
  ]);
  const seen = new Set(attention.map(({ id }) => id));
  const cases = [
    ...attention.map(fromAttention),
    ...held.filter(({ shipmentId, status }) => !seen.has(shipmentId) && status !== 'open').map(fromHeld),
  ];
  return cases.toSorted(
    (a, b) => GROUPS.indexOf(a.group) - GROUPS.indexOf(b.group) || a.since.localeCompare(b.since) || a.id - b.id,
  );
}

/** The lists give the newest first, so the oldest case is on the last page. */
async function allPages<Row>(
  read: (page: { limit: number; cursor?: number }) => Promise<Row[]>,
  idOf: (row: Row) => number,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (let page = await read({ limit: PAGE }); ; page = await read({ limit: PAGE, cursor: idOf(rows.at(-1) as Row) })) {
    rows.push(...page);
    if (page.length < PAGE) return rows;
  }
}

function fromAttention(attention: Attention): Case {
  const { id, orderId, orderNumber, reference, trackingNumber, carrier, reasons, held } = attention;
  return {
    ...{ id, orderId, orderNumber, reference, trackingNumber },
    carrierName: carrier.name,
    group: 'open',
    since: reasons.map(({ since }) => since).toSorted()[0] ?? '',
    attention,
    stay: held,
  };
}

function fromHeld(held: Schema['HeldShipment']): Case {
  const { shipmentId, orderId, orderNumber, reference, trackingNumber, carrier, decision } = held;
  return {
    id: shipmentId,
    ...{ orderId, orderNumber, reference, trackingNumber },
    carrierName: carrier.name,
    group: decision ? 'decided' : 'announced',
    since: decision?.decidedAt ?? held.warnedAt ?? '',
    attention: null,
    stay: held,
  };
}
