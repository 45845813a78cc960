import type { Deps } from './deps.ts';

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
