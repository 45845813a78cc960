import { EventRow } from '../../db/entities/index.ts';
import { companyEm } from '../../db/orm.ts';
import { given } from '../../db/queries/conditions.ts';
import { listRows } from '../../db/queries/list-rows.ts';
import { numberEvents } from '../../db/queries/number-events.ts';
import { textArray } from '../../db/queries/sql.ts';
import type { EventType } from '../../domain/event-types.ts';
import type { Deps } from '../../engine/deps.ts';

/** One event as clients see it, in lists and deliveries. */
export interface EventMessage {
  /** The same in every delivery of the event. */
  id: string;
  type: EventType;
  /** When it happened, ISO 8601. */
  timestamp: string;
  data: Record<string, unknown> & { sequence: number };
}

export function eventMessage(
  deps: Pick<Deps, 'vault'>,
  row: Pick<EventRow, 'id' | 'sequence' | 'type' | 'occurredAt' | 'data'>,
): EventMessage {
  return {
    id: eventId(deps, row.id),
    type: row.type,
    timestamp: row.occurredAt.toISOString(),
    data: { sequence: row.sequence ?? 0, ...row.data },
  };
}

/** Returns the webhook-id, which is unique even for a receiver of several installations. */
export function eventId({ vault }: Pick<Deps, 'vault'>, id: number): string {
  return `evt_${vault.installationCode}_${id}`;
}

/** Lists a company's events after a number, oldest first, including the ones committed just now. */
export async function listEvents(
  deps: Pick<Deps, 'orm' | 'vault'>,
  input: { companyId: number; after: number; types: readonly EventType[] | null; limit: number },
): Promise<EventMessage[]> {
  const { companyId, after, types, limit } = input;
  const em = companyEm(deps.orm, companyId);
  await numberEvents(em, companyId);
  const rows = await listRows(em, EventRow, {
    companyId,
    where: [
      { sql: 'row.sequence > ?', params: [after] },
      ...given(types, (known) => ({ sql: 'row.type = any(?::text[])', params: [textArray(known)] })),
    ],
    orderBy: 'row.sequence',
    limit,
  });
  return rows.map((row) => eventMessage(deps, row));
}
