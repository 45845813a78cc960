import { systemEm } from '../../db/orm.ts';
import type { Deps } from '../../engine/deps.ts';

/** State of the polling of one carrier. */
export interface CarrierTracking {
  carrier: string;
  /** Number of polled parcels. */
  open: number;
  /** Parcels with a due poll, and how long the oldest of them has waited. */
  due: number;
  lagSeconds: number;
  polledLastHour: number;
  expired: number;
  /** The smallest remaining poll budget among the accounts; null when none was polled yet. */
  budgetLeft: number | null;
  /** Unrecognised codes, the most frequent first. */
  unknownCodes: { code: string; text: string; events: number }[];
  /** Not null: the carrier itself is believed away. */
  outage: { since: string; nextProbeAt: string; lastError: string } | null;
  /** Contracts whose polls are not answered, whether the carrier is away or only they are. */
  silentContracts: { id: number; label: string; since: string; nextProbeAt: string; lastError: string }[];
}

const MAX_CODES = 10;

/** Reads the state of polling by carrier, over all companies. */
export async function trackingStatus(deps: Pick<Deps, 'orm' | 'now'>): Promise<CarrierTracking[]> {
  const em = systemEm(deps.orm);
  const now = deps.now();
  const counts = await em.execute<
    { id: number; carrier: string; open: number; due: number; lag: number | null; polled: number; expired: number }[]
  >(
    `select c.id, c.code as carrier, count(*) filter (where s.next_poll_at is not null)::int as open,
            count(*) filter (where s.next_poll_at <= ?)::int as due,
            extract(epoch from ?::timestamptz - min(s.next_poll_at) filter (where s.next_poll_at <= ?))::float8 as lag,
            count(*) filter (where s.polled_at > ?::timestamptz - interval '1 hour')::int as polled,
            count(*) filter (where s.expired_at is not null)::int as expired
       from carriers c join shipments s on s.carrier_id = c.id group by c.id, c.code order by c.code`,
    [now, now, now, now],
  );
  const budgets = await em.execute<{ carrier_id: number; left: number }[]>(
    `select k.carrier_id, floor(min(b.tokens))::int as left from partner_budgets b
       join contracts k on b.key = 'poll:' || k.id group by k.carrier_id`,
  );
  const outages = await em.execute<{ carrier_id: number; since: string; next: string; error: string }[]>(
    `select carrier_id, since::text, next_probe_at::text as next, last_error as error from carrier_outages where since is not null`,
  );
  const silent = await em.execute<(CarrierTracking['silentContracts'][number] & { carrierId: number })[]>(
    `select o.carrier_id as "carrierId", k.id, k.label, o.since::text, o.next_probe_at::text as "nextProbeAt", o.last_error as "lastError"
       from contract_outages o join contracts k on k.id = o.contract_id where o.since is not null order by k.id`,
  );
  const unknown = await em.execute<{ carrier_id: number; code: string; text: string; events: number }[]>(
    `select s.carrier_id, e.code, max(e.description) as text, count(*)::int as events
       from tracking_events e join shipments s on s.id = e.shipment_id where e.status = 'unrecognised'
      group by 1, 2 order by 4 desc, 2`,
  );
  return counts.map(({ id, lag, polled, ...count }) => {
    const outage = outages.find((one) => one.carrier_id === id);
    return {
      ...count,
      lagSeconds: Math.max(0, Math.round(lag ?? 0)),
      polledLastHour: polled,
      budgetLeft: budgets.find((one) => one.carrier_id === id)?.left ?? null,
      unknownCodes: unknown
        .filter((one) => one.carrier_id === id)
        .slice(0, MAX_CODES)
        .map(({ code, text, events }) => ({ code, text, events })),
      outage: outage ? { since: outage.since, nextProbeAt: outage.next, lastError: outage.error } : null,
      silentContracts: silent.filter(({ carrierId }) => carrierId === id).map(({ carrierId: _own, ...one }) => one),
    };
  });
}
