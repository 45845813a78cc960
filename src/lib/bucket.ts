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
  /** Milliseconds per request. */
  limitMs?: number;
}

/** Objects under keys of `a-z 0-9 / -`, at any service with the S3 interface. */
export interface Bucket {
  /** Idempotent. Throws `BucketError`. */
  put(key: string, file: { bytes: Buffer; contentType: string }): Promise<void>;
  /**
   * Throws `BucketError` when the object is missing or the service is away. A later failure ends the stream with an
   * error.
   */
  get(key: string): Promise<Readable>;
  /** Succeeds also when the object is missing. */
  delete(key: string): Promise<void>;
}

/** `away` may heal by itself; `missing` and `refused` will not. */
export class BucketError extends Error {
  readonly reason: 'away' | 'missing' | 'refused';

  constructor(message: string, reason: BucketError['reason'], options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

/** Milliseconds. A label has some 100 KB, so a service that needs longer counts as away. */
const LIMIT_MS = 10_000;

/**
 * Returns a client of one bucket. It signs requests with AWS Signature Version 4, and the service checks the content's
 * hash.
 */
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
