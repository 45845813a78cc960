import { systemEm } from '../../db/orm.ts';
import type { Deps } from '../../engine/deps.ts';

const DAY_MS = 24 * 3_600_000;

/**
 * Applies a changed TRACKING_INTERVAL_MINUTES to scheduled polls: scales each pause since the last poll by the same factor, up to the
 * longest pause. A no-op while the interval is the one applied last. Safe with concurrent schedulers.
 */
export async function applyTrackingInterval(deps: Deps): Promise<void> {
  const wanted = deps.settings.trackingIntervalMs;
  await systemEm(deps.orm).transactional(async (tx) => {
    const [known] = await tx.execute<{ applied: number | null }[]>(
      'select tracking_interval_ms as applied from installation where tracking_interval_ms is distinct from ? for update',
      [wanted],
    );
    if (!known) return;
    await tx.execute('update installation set tracking_interval_ms = ?', [wanted]);
    if (known.applied === null) return;
    await tx.execute(
      `update shipments s
          set next_poll_at = looked.at + least((s.next_poll_at - looked.at) * ?::float8, make_interval(secs => ?))
         from (select id, coalesce(polled_at, booked_at, created_at) as at from shipments
                where next_poll_at > ? order by id for no key update) looked
        where s.id = looked.id`,
      [wanted / known.applied, Math.max(DAY_MS, wanted) / 1000, deps.now()],
    );
    deps.log.info({ beforeMs: known.applied, nowMs: wanted }, 'tracking interval changed');
  });
}
