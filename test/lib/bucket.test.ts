import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Bucket, BucketError, createBucket } from '../../src/lib/bucket.ts';
import { type FakeBucket, startFakeBucket } from '../support/fake-bucket.ts';
import { refusingUrl } from '../support/fake-server.ts';

const FILE = { bytes: Buffer.from('%PDF-1.4 label'), contentType: 'application/pdf' };
const NAME = '7/2026-11/0a1b2c';

describe('a bucket', () => {
  let fake: FakeBucket;
  let bucket: Bucket;

  beforeEach(async () => {
    fake = await startFakeBucket();
    bucket = createBucket(fake);
  });
  afterEach(() => fake.close());

  it('gives back what was put, and forgets what was deleted, twice too', async () => {
    await bucket.put(NAME, FILE);
    await bucket.put(NAME, FILE);
    const read = await buffer(await bucket.get(NAME));
    await bucket.delete(NAME);
    await bucket.delete(NAME);

    expect(read).toEqual(FILE.bytes);
    expect(fake.objects.size).toBe(0);
    expect(fake.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      ...Array(2).fill(`PUT /labels/${NAME}`),
      `GET /labels/${NAME}`,
      ...Array(2).fill(`DELETE /labels/${NAME}`),
    ]);
    expect(fake.requests.every(({ isSigned }) => isSigned)).toBe(true);
  });

  it('says that an object is missing', async () => {
    await expect(bucket.get(NAME)).rejects.toMatchObject({ reason: 'missing' });
  });

  it('says that a wrong secret is refused, without showing it', async () => {
    const stranger = createBucket({ ...fake, secret: 'another-secret' });

    const error = await stranger.put(NAME, FILE).catch((thrown: unknown) => thrown);

    expect(error).toBeInstanceOf(BucketError);
    expect(error).toMatchObject({ reason: 'refused', message: 'The bucket answered PUT with 403' });
    expect(fake.objects.size).toBe(0);
  });

  it.each(['away', 'lost'] as const)('is away when the service is %s, and may be asked again', async (fault) => {
    fake.fault = fault;
    await expect(bucket.put(NAME, FILE)).rejects.toMatchObject({ reason: 'away' });
    fake.fault = null;
    await bucket.put(NAME, FILE);

    expect(fake.objects.get(NAME)?.bytes).toEqual(FILE.bytes);
  });

  it('is away when nothing listens', async () => {
    const nobody = createBucket({ ...fake, url: await refusingUrl() });

    await expect(nobody.get(NAME)).rejects.toMatchObject({ reason: 'away' });
  });

  it('is away when the service does not answer in time', async () => {
    fake.fault = 'hang';

    await expect(createBucket({ ...fake, limitMs: 50 }).put(NAME, FILE)).rejects.toMatchObject({ reason: 'away' });
  });

  it('fails while an object is read that is cut off', async () => {
    await bucket.put(NAME, { ...FILE, bytes: Buffer.alloc(200_000, 7) });
    fake.fault = 'cut';

    await expect(bucket.get(NAME).then(buffer)).rejects.toThrow();
  });
});
