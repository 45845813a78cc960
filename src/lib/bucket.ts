import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { AwsV4Signer } from 'aws4fetch';
import { sha256 } from './crypto.ts';

export interface BucketOptions {
  /** Endpoint and bucket, such as `https://s3.example.com/labels`: path style. */
  url: string;
  region: string;
  key: string;
  secret: string;
  /** How long one request may take. */
  limitMs?: number;
}

/** Objects under keys of `a-z 0-9 / -`, at any service that speaks the S3 interface. */
export interface Bucket {
  /** Putting the same again changes nothing. Throws `BucketError`. */
  put(key: string, file: { bytes: Buffer; contentType: string }): Promise<void>;
  /** Throws `BucketError` when there is no such object, or nobody to ask; the stream fails with what breaks later. */
  get(key: string): Promise<Readable>;
  /** Deleting what is not there succeeds. */
  delete(key: string): Promise<void>;
}

/** `away` may be well again later; `missing` and `refused` will not be by themselves. */
export class BucketError extends Error {
  readonly reason: 'away' | 'missing' | 'refused';

  constructor(message: string, reason: BucketError['reason'], options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

/** A label has some 100 KB: who needs longer for it is away. */
const LIMIT_MS = 10_000;

/** A client of one bucket. Requests are signed with AWS Signature Version 4, and the service checks the hash of what it is given. */
export function createBucket(options: BucketOptions): Bucket {
  const { url, region, key: accessKeyId, secret: secretAccessKey, limitMs = LIMIT_MS } = options;
  async function send(method: string, key: string, file?: { bytes: Buffer; contentType: string }): Promise<Response> {
    const signer = new AwsV4Signer({
      method,
      url: `${url}/${key}`,
      service: 's3',
      region,
      accessKeyId,
      secretAccessKey,
      ...(file
        ? {
            body: file.bytes,
            headers: { 'content-type': file.contentType, 'x-amz-content-sha256': sha256(file.bytes) },
          }
        : {}),
    });
    const signed = await signer.sign();
    const response = await fetch(signed.url, {
      method,
      headers: signed.headers,
      redirect: 'manual',
      signal: AbortSignal.timeout(limitMs),
      ...(file ? { body: file.bytes } : {}),
    }).catch((cause: unknown) => {
      throw new BucketError('The bucket cannot be reached', 'away', { cause });
    });
    if (response.ok || (method === 'DELETE' && response.status === 404)) return response;
    await response.body?.cancel();
    throw refusalOf(method, response.status);
  }
  return {
    async put(key, file) {
      const response = await send('PUT', key, file);
      await response.body?.cancel();
    },
    async get(key) {
      const { body } = await send('GET', key);
      return body ? Readable.fromWeb(body as ReadableStream) : Readable.from([]);
    },
    async delete(key) {
      const response = await send('DELETE', key);
      await response.body?.cancel();
    },
  };
}

function refusalOf(method: string, status: number): BucketError {
  if (method === 'GET' && status === 404) return new BucketError('The bucket has no such object', 'missing');
  const isAway = status === 408 || status === 429 || status >= 500;
  return new BucketError(`The bucket answered ${method} with ${status}`, isAway ? 'away' : 'refused');
}
