import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Document } from '../../src/db/entities/index.ts';
import { createDocumentStore, readDocument } from '../../src/engine/document-store.ts';
import { createBucket } from '../../src/lib/bucket.ts';
import { silentLog } from '../../src/lib/log.ts';
import { deleteOldDocuments, moveDocuments } from '../../src/usecases/documents/tend-documents.ts';
import { bookShipment } from '../../src/usecases/shipments/book-shipment.ts';
import { type FakeBucket, startFakeBucket } from '../support/fake-bucket.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import { type Deps, database, jobContext, orderShipment, readShipment, recordingDeps } from '../usecases/engine.ts';

describe('documents in a bucket', () => {
  let test: TestApp;
  let fake: FakeBucket;

  beforeAll(async () => {
    test = await startTestApp({ roles: ['api'] });
    fake = await startFakeBucket();
  });
  afterEach(() => {
    fake.fault = null;
  });
  afterAll(async () => {
    await test.stop();
    await fake.close();
  });

  /** As in a process that has just been started with the bucket. */
  function withBucket(url = fake.url): Deps {
    const { deps } = recordingDeps(test);
    const bucket = createBucket({ ...fake, url });
    return { ...deps, documents: createDocumentStore({ orm: deps.orm, bucket, log: silentLog, now: deps.now }) };
  }

  async function book(deps: Deps): Promise<number> {
    const { shipmentId } = await orderShipment(test);
    await bookShipment(deps, { shipmentId, ...jobContext() });
    return shipmentId;
  }

  async function labelOf(shipmentId: number): Promise<Document> {
    return database(test).findOneOrFail(Document, { shipmentId }, { populate: ['bytes'], refresh: true });
  }

  it('are put there under the hash of their content, and only named by the row', async () => {
    const deps = withBucket();

    const label = await labelOf(await book(deps));

    const { companyId, sha256, id } = label;
    const month = new Date().toISOString().slice(0, 7);
    expect(label).toMatchObject({ store: 'bucket', bucketKey: `${companyId}/${month}/${sha256}`, bytes: null });
    expect(fake.objects.get(label.bucketKey)).toMatchObject({ contentType: 'application/pdf' });
    expect(fake.objects.get(label.bucketKey)?.bytes).toHaveLength(label.size);
    expect((await readDocument(deps.documents, { companyId, id })).subarray(0, 5).toString()).toBe('%PDF-');
  });

  it('are put there after the carrier sold them, and before a row names them', async () => {
    const deps = withBucket();
    const { shipmentId } = await orderShipment(test);
    const seen: unknown[] = [];
    const { documents } = deps;
    const put: typeof documents.put = async (companyId, file) => {
      const placed = await documents.put(companyId, file);
      const { processStatus } = await readShipment(test, shipmentId);
      seen.push([
        processStatus,
        await database(test).count(Document, { shipmentId }),
        fake.objects.has(placed.bucketKey),
      ]);
      return placed;
    };

    await bookShipment({ ...deps, documents: { ...documents, put } }, { shipmentId, ...jobContext() });

    expect(seen).toEqual([['submitting', 0, true]]);
    expect(await labelOf(shipmentId)).toMatchObject({ store: 'bucket' });
  });

  it.each(['away', 'lost'] as const)(
    'lie in the database while the bucket is %s, and are moved when it is back',
    async (fault) => {
      fake.fault = fault;
      const shipmentId = await book(withBucket());
      const kept = await labelOf(shipmentId);
      fake.fault = null;
      const deps = withBucket();
      await moveDocuments(deps);
      const moved = await labelOf(shipmentId);

      expect((await readShipment(test, shipmentId)).processStatus).toBe('created');
      expect(kept).toMatchObject({ store: 'database', bucketKey: '', bytes: expect.any(Buffer) });
      expect(moved).toMatchObject({ store: 'bucket', bytes: null, sha256: kept.sha256 });
      const { companyId, id } = moved;
      expect(await readDocument(deps.documents, { companyId, id })).toEqual(kept.bytes);
    },
  );

  it('are not asked for twice while the bucket is away', async () => {
    fake.fault = 'away';
    const deps = withBucket();
    const before = fake.requests.length;

    await book(deps);
    await book(deps);
    const moved = await moveDocuments(deps);

    expect(fake.requests.length - before).toBe(1);
    expect(moved).toBe(0);
  });

  it('stay where they are without a bucket', async () => {
    const { deps } = recordingDeps(test);

    const shipmentId = await book(deps);

    expect(await moveDocuments(deps)).toBe(0);
    expect(await labelOf(shipmentId)).toMatchObject({ store: 'database' });
  });

  it('are read again when the connection breaks, and are told to be away when it stays broken', async () => {
    const deps = withBucket();
    const { companyId, id } = await labelOf(await book(deps));
    fake.fault = 'cut';
    const before = fake.requests.length;

    const failure = await readDocument(deps.documents, { companyId, id }).catch((error: unknown) => error);

    expect(fake.requests.length - before).toBe(3);
    expect(failure).toMatchObject({ status: 503, code: 'document-away', retryable: true });
  });

  it('that the bucket has lost are told to be away, and an operator is told', async () => {
    const errors: unknown[] = [];
    const deps = withBucket();
    const label = await labelOf(await book(deps));
    fake.objects.delete(label.bucketKey);
    const log = { ...silentLog, error: (fields: unknown) => void errors.push(fields) } as typeof silentLog;
    const store = createDocumentStore({ orm: deps.orm, bucket: createBucket(fake), log, now: deps.now });

    const failure = await store.get({ companyId: label.companyId, id: label.id }).catch((error: unknown) => error);

    expect(failure).toMatchObject({ status: 503, code: 'document-away' });
    expect(errors).toMatchObject([{ documentId: label.id }]);
  });

  it('are said to be away by the api when the bucket was taken out of the settings', async () => {
    const shipmentId = await book(withBucket());

    const answer = await test.call('GET', `/shipment/${shipmentId}/label`);

    expect(answer.status).toBe(503);
    expect(answer.body).toMatchObject({ code: 'document-away', retryable: true });
  });

  it('are deleted when they are older than the settings say, and kept for ever unless they say so', async () => {
    const deps = withBucket();
    const old = await labelOf(await book(deps));
    const twin = await labelOf(await book(deps));
    const young = await labelOf(await book(deps));
    const em = database(test);
    await em.execute('update documents set created_at = ? where id <> ?', [new Date(0), young.id]);
    await em.execute('update documents set bucket_key = ? where id = ?', [young.bucketKey, twin.id]);
    const limited: Deps = { ...deps, settings: { ...deps.settings, documentMs: 86_400_000 } };

    const forEver = await deleteOldDocuments(deps);
    fake.fault = 'away';
    const whileAway = await deleteOldDocuments(limited);
    const stillThere = await em.count(Document, {});
    fake.fault = null;
    await deleteOldDocuments(limited);

    expect([forEver, whileAway]).toEqual([0, 0]);
    expect(stillThere).toBeGreaterThan(3);
    expect(await em.find(Document, {}, { refresh: true })).toMatchObject([{ id: young.id }]);
    expect(fake.objects.has(old.bucketKey)).toBe(false);
    expect(fake.objects.has(young.bucketKey)).toBe(true);
  });

  it('of another company are not found by their id', async () => {
    const deps = withBucket();
    const { companyId, id } = await labelOf(await book(deps));

    await expect(deps.documents.get({ companyId: companyId + 1, id })).rejects.toThrow('was deleted');
  });
});
