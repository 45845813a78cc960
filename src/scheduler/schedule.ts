import type { Deps } from '../engine/deps.ts';
import { sealAudit } from '../usecases/audit/seal-audit.ts';
import { deleteOldDocuments, moveDocuments } from '../usecases/documents/tend-documents.ts';
import { queueDueEvents } from '../usecases/events/queue-due-events.ts';
import { queueDueImports } from '../usecases/marketplaces/import-orders.ts';
import { forgetAskedOrders, forgetOldOrders } from '../usecases/persons/forget-old.ts';
import { queueDueTracking } from '../usecases/tracking/queue-tracking.ts';
import { queueDueHeldLists } from '../usecases/tracking/watch-held.ts';
import { keepStatistics } from '../usecases/upkeep/keep-statistics.ts';
import { purge } from '../usecases/upkeep/purge.ts';
import { sweep } from '../usecases/upkeep/sweep.ts';

export interface Cron {
  name: string;
  /** Six fields: second, minute, hour, day, month, weekday; UTC. */
  expression: string;
  run(deps: Deps): Promise<unknown>;
}

/** Every job that the clock starts. */
export const SCHEDULE: readonly Cron[] = [
  { name: 'sweep', expression: '*/10 * * * * *', run: sweep },
  { name: 'events', expression: '*/2 * * * * *', run: queueDueEvents },
  { name: 'audit', expression: '*/5 * * * * *', run: sealAudit },
  { name: 'tracking', expression: '10 * * * * *', run: queueDueTracking },
  { name: 'held', expression: '20 * * * * *', run: queueDueHeldLists },
  { name: 'import', expression: '30 * * * * *', run: queueDueImports },
  { name: 'statistics', expression: '50 * * * * *', run: keepStatistics },
  { name: 'documents', expression: '40 * * * * *', run: moveDocuments },
  { name: 'purge', expression: '0 17 2 * * *', run: purge },
  { name: 'old-documents', expression: '0 37 2 * * *', run: deleteOldDocuments },
  { name: 'asked-to-forget', expression: '45 * * * * *', run: forgetAskedOrders },
  { name: 'old-orders', expression: '0 57 2 * * *', run: forgetOldOrders },
];
