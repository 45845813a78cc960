import { type ConnectionOptions, createPostgresBackend, Queue, Worker, withBackend } from 'bullmq';
import { Redis } from 'ioredis';
import pg from 'pg';

/** Returns the bare classes of BullMQ for the queue of REDIS_URL, else of DATABASE_URL, and what they connect with. */
export function openFloorQueue(): { Queue: typeof Queue; Worker: typeof Worker; connection: ConnectionOptions } {
  const { DATABASE_URL, REDIS_URL } = process.env;
  if (REDIS_URL) return { Queue, Worker, connection: new Redis(REDIS_URL, { maxRetriesPerRequest: null }) };
  const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 16, options: '-c search_path=bullmq' });
  // The two have the same methods, under types of their own.
  const classes = withBackend(createPostgresBackend) as unknown as { Queue: typeof Queue; Worker: typeof Worker };
  return { ...classes, connection: pool as unknown as ConnectionOptions };
}
