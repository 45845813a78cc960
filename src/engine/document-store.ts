import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { Document } from '../db/entities/index.ts';
import { companyEm, type Em, type Orm, systemEm } from '../db/orm.ts';
import { intArray } from '../db/queries/sql.ts';
import { type Bucket, BucketError } from '../lib/bucket.ts';
import type { Clock } from '../lib/clock.ts';
import { sha256 } from '../lib/crypto.ts';
import { Problem } from '../lib/errors.ts';
import type { Log } from '../lib/log.ts';

export interface DocumentFile {
  contentType: string;
  bytes: Buffer;
}

/** The columns of a document row that describe its bytes. */
export type StoredBytes = Pick<Document, 'contentType' | 'sha256' | 'size' | 'store' | 'bucketKey' | 'bytes'>;

/** Identifies a document of a company. */
export interface DocumentHandle {
  companyId: number;
  id: number;
}

/** Stores the bytes of documents in PostgreSQL or in a configured bucket. Content addressed: equal bytes are stored once. */
export interface DocumentStore {
  /**
   * Stores bytes before their row is written, and returns that row's columns. Never fails: when the bucket is unavailable, the row itself
   * holds the bytes until they are moved. Do not call it inside a transaction.
   */
  put(companyId: number, file: DocumentFile): Promise<StoredBytes>;
  /** Throws a 503 `Problem` when the bucket is unavailable or has lost the bytes. */
  get(handle: DocumentHandle): Promise<Readable>;
  /** Moves bytes from PostgreSQL to the bucket, oldest first, at most `limit` documents. Returns how many were moved. */
  move(limit: number): Promise<number>;
  /** Deletes documents older than a moment, oldest first, at most `limit`. Returns how many were deleted. */
  deleteBefore(before: Date, limit: number): Promise<number>;
  /** Deletes every document of these shipments, and each list that names one of them. Returns false when the bucket is unavailable. */
  deleteOf(companyId: number, shipmentIds: readonly number[]): Promise<boolean>;
}

export interface DocumentStoreOptions {
  orm: Orm;
  /** Null: all bytes are in PostgreSQL. */
  bucket: Bucket | null;
  log: Log;
  now: Clock;
}

/** Pause after a failure of the bucket, so that bookings do not wait for its outage. */
const PAUSE_MS = 30_000;
/** One broken connection must not abort a file with thousands of labels. */
const READS = 3;

export function createDocumentStore({ orm, bucket, log, now }: DocumentStoreOptions): DocumentStore {
  let pausedUntil = 0;

  async function putInBucket(key: string, file: DocumentFile): Promise<boolean> {
    if (!bucket || Date.now() < pausedUntil) return false;
    try {
      await bucket.put(key, file);
      return true;
    } catch (err) {
      pausedUntil = Date.now() + PAUSE_MS;
      log.warn({ err }, 'bucket failed: documents stay in the database for now');
      return false;
    }
  }

  return {
    async put(companyId, file) {
      const { contentType, bytes } = file;
      const hash = sha256(bytes);
      const about = { contentType, sha256: hash, size: bytes.length };
      const key = keyOf(companyId, now(), hash);
      return (await putInBucket(key, file))
        ? { ...about, store: 'bucket', bucketKey: key, bytes: null }
        : { ...about, store: 'database', bucketKey: '', bytes };
    },
    async get({ companyId, id }) {
      const [row] = await companyEm(orm, companyId).execute<{ bucket_key: string; bytes: Buffer | null }[]>(
        'select bucket_key, bytes from documents where company_id = ? and id = ?',
        [companyId, id],
      );
      if (!row) throw new Error(`Document ${id} was deleted`);
      if (row.bytes) return Readable.from([row.bytes]);
      if (!bucket) throw unreadable('its bucket is no longer configured');
      return bucket.get(row.bucket_key).catch((cause: unknown) => {
        if (!(cause instanceof BucketError)) throw cause;
        if (cause.reason !== 'away') log.error({ err: cause, documentId: id }, 'document not in its bucket');
        throw unreadable(
          cause.reason === 'away' ? 'its bucket is unavailable' : 'its bucket refuses to read it',
          cause,
        );
      });
    },
    async move(limit) {
      if (!bucket) return 0;
      const em = systemEm(orm);
      const rows = await em.execute<Movable[]>(
        `select id, company_id, content_type, sha256, bytes from documents where store = 'database' order by id limit ?`,
        [limit],
      );
      let moved = 0;
      for (const row of rows) {
        const key = keyOf(row.company_id, now(), row.sha256);
        if (!(await putInBucket(key, { contentType: row.content_type, bytes: row.bytes }))) break;
        await nameInBucket(em, row, key);
        moved += 1;
      }
      return moved;
    },
    async deleteBefore(before, limit) {
      const em = systemEm(orm);
      const rows = await em.execute<Old[]>(
        'select id, company_id, bucket_key from documents where created_at < ? order by id limit ?',
        [before, limit],
      );
      let deleted = 0;
      for (const row of rows) {
        if (row.bucket_key !== '' && !(await deleteObject(em, row))) break;
        await deleteRow(em, row);
        deleted += 1;
      }
      return deleted;
    },
    async deleteOf(companyId, shipmentIds) {
      const em = systemEm(orm);
      const rows = await em.execute<Old[]>(
        `select d.id, d.company_id, d.bucket_key from documents d
          where d.company_id = ? and (d.shipment_id = any(?::int[])
             or d.id in (select s.document_id from document_shipments s where s.company_id = ? and s.shipment_id = any(?::int[])))
          order by d.id`,
        [companyId, intArray(shipmentIds), companyId, intArray(shipmentIds)],
      );
      for (const row of rows) {
        if (row.bucket_key !== '' && !(await deleteObject(em, row))) return false;
        await deleteRow(em, row);
      }
      return true;
    },
  };

  /** Deletes the object before its row, because only the row finds it. Keeps an object that another document shares. */
  async function deleteObject(em: Em, row: Old): Promise<boolean> {
    const [shared] = await em.execute<object[]>(
      'select id from documents where company_id = ? and bucket_key = ? and id <> ? limit 1',
      [row.company_id, row.bucket_key, row.id],
    );
    if (shared) return true;
    if (!bucket) return false;
    return bucket.delete(row.bucket_key).then(
      () => true,
      (err) => {
        log.warn({ err }, 'bucket failed: old documents are deleted another day');
        return false;
      },
    );
  }
}

interface Old {
  id: number;
  company_id: number;
  bucket_key: string;
}

async function deleteRow(em: Em, { id, company_id }: Old): Promise<void> {
  await em.transactional(async (tx) => {
    await tx.execute('delete from document_shipments where document_id = ? and company_id = ?', [id, company_id]);
    await tx.execute('delete from documents where id = ? and company_id = ?', [id, company_id]);
  });
}

interface Movable {
  id: number;
  company_id: number;
  content_type: string;
  sha256: string;
  bytes: Buffer;
}

async function nameInBucket(em: Em, row: Movable, key: string): Promise<void> {
  await em.execute(
    `update documents set store = 'bucket', bucket_key = ?, size = ?, bytes = null
      where id = ? and company_id = ? and store = 'database' and sha256 = ?`,
    [key, row.bytes.length, row.id, row.company_id, row.sha256],
  );
}

/** Reads a whole document, and retries when the connection breaks. */
export async function readDocument(store: DocumentStore, handle: DocumentHandle): Promise<Buffer> {
  for (let read = 1; ; read++) {
    try {
      return await buffer(await store.get(handle));
    } catch (error) {
      if (read === READS)
        throw error instanceof Problem ? error : unreadable('the connection to its bucket broke', error);
    }
  }
}

/** Keys contain company and month, so the deletion of an old object cannot hit one that was stored just now. */
function keyOf(companyId: number, at: Date, hash: string): string {
  return `${companyId}/${at.toISOString().slice(0, 7)}/${hash}`;
}

function unreadable(why: string, cause?: unknown): Problem {
  return new Problem(`The document cannot be read at the moment: ${why}`, {
    status: 503,
    code: 'document-away',
    title: 'Document not available',
    source: 'platform',
    retryable: true,
    headers: { 'Retry-After': '30' },
    cause,
  });
}
