import type { Deps } from '../../engine/deps.ts';

/** Documents per batch, whose bytes are in memory together. */
const BATCH = 20;
/** Maximum batches per tick; the next tick continues. */
const PER_TICK = 1000;

/** Moves documents from PostgreSQL to the bucket, after an outage or before it was configured. Returns how many. */
export async function moveDocuments({ documents }: Pick<Deps, 'documents'>): Promise<number> {
  let moved = 0;
  while (moved < PER_TICK) {
    const count = await documents.move(BATCH);
    moved += count;
    if (count < BATCH) break;
  }
  return moved;
}

/** Deletes documents whose retention is over. Returns how many. */
export async function deleteOldDocuments({ documents, settings, now }: Deps): Promise<number> {
  if (settings.documentMs === null) return 0;
  const before = new Date(now().getTime() - settings.documentMs);
  let deleted = 0;
  for (;;) {
    const count = await documents.deleteBefore(before, BATCH);
    deleted += count;
    if (count < BATCH) return deleted;
  }
}
