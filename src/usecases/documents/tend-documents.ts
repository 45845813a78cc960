import type { Deps } from '../../engine/deps.ts';

/** Documents at a time: their bytes are in memory together. */
const BATCH = 20;
/** What a tick does at most; the next one goes on. */
const PER_TICK = 1000;

/** Moves documents into the bucket that lie in PostgreSQL: from a time when it was away, or not configured. Answers how many. */
export async function moveDocuments({ documents }: Pick<Deps, 'documents'>): Promise<number> {
  let moved = 0;
  while (moved < PER_TICK) {
    const count = await documents.move(BATCH);
    moved += count;
    if (count < BATCH) break;
  }
  return moved;
}

/** Deletes documents that are older than the settings say. Answers how many. */
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
