import { readConfig } from '../src/config.ts';
import { type Core, openCore } from '../src/core.ts';
import { systemEm } from '../src/db/orm.ts';
import { silentLog } from '../src/lib/log.ts';
import { marketplaceQueue, trackingQueue } from '../src/queue/jobs.ts';
import { trackNow } from '../src/usecases/tracking/queue-tracking.ts';

/** Shops that may be asked more often than once a minute. */
const PATIENT_SHOPS = ['woocommerce', 'shopify', 'magento', 'prestashop', 'kaufland'];

/** Looks at parcels and shops more often than the schedule's shortest interval, so that a short run sees them move. */
export interface Clockwork {
  tick(): Promise<void>;
  close(): Promise<void>;
}

export async function startClockwork(env: Record<string, string>): Promise<Clockwork> {
  await using stack = new AsyncDisposableStack();
  const { deps } = await openCore(stack, { config: readConfig(env), log: silentLog, migrate: false });
  const running = stack.move();
  return {
    // An engine may be away: the product's own schedule goes on without this.
    tick: () => tick(deps).catch(() => undefined),
    close: () => running.disposeAsync(),
  };
}

async function tick(deps: Core['deps']): Promise<void> {
  const em = systemEm(deps.orm);
  const now = Date.now();
  const moving = await em.execute<{ id: number }[]>('select id from shipments where next_poll_at is not null');
  await trackNow(
    deps,
    moving.map(({ id }) => id),
  );
  const shops = await em.execute<{ id: number; companyId: number; code: string }[]>(
    'select n.id, n.company_id as "companyId", m.code from connections n join marketplaces m on m.id = n.marketplace_id',
  );
  for (const { id, companyId, code } of shops.filter((shop) => PATIENT_SHOPS.includes(shop.code))) {
    const payload = { connectionId: id };
    await deps.queues.add(marketplaceQueue(code), [
      { name: 'import', id: `chaos-import-${id}-${now}`, companyId, payload },
    ]);
  }
  const listing = await em.execute<{ id: number; companyId: number }[]>(
    `select k.id, k.company_id as "companyId" from contracts k join carriers c on c.id = k.carrier_id where c.code = 'poste-it'
        and exists (select 1 from shipments s where s.contract_id = k.id and s.next_poll_at is not null)`,
  );
  for (const { id, companyId } of listing) {
    const payload = { contractId: id };
    await deps.queues.add(trackingQueue('poste-it'), [
      { name: 'held', id: `chaos-held-${id}-${now}`, companyId, payload },
    ]);
  }
}
