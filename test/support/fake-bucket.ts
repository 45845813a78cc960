import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/**
 * The fault of the next requests. `away` answers 503, and `hang` never answers. `lost` carries out the request and cuts the
 * connection. `cut` promises the whole object and sends half.
 */
export type BucketFault = 'away' | 'hang' | 'lost' | 'cut';

export interface FakeBucket {
  /** Endpoint and bucket. */
  url: string;
  key: string;
  secret: string;
  region: string;
  objects: Map<string, { bytes: Buffer; contentType: string }>;
  /** Method and path of every request, and whether its signature was right. */
  requests: { method: string; path: string; isSigned: boolean }[];
  /** For every request until it is set again; null: none. */
  fault: BucketFault | null;
  close(): Promise<void>;
}

const KEY = 'AKIDEXAMPLE';
const SECRET = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY';
const REGION = 'eu-south-1';
const BUCKET = '/labels';

/** Starts a simulated S3 service over HTTP, path style. It checks Signature Version 4 by its description, not with the client's library. */
export async function startFakeBucket(): Promise<FakeBucket> {
  const fake: Pick<FakeBucket, 'objects' | 'requests' | 'fault'> = { objects: new Map(), requests: [], fault: null };
  const server = createServer((request, response) => {
    buffer(request).then(
      (body) => answer(fake, { request, response, body }),
      () => response.destroy(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${BUCKET}`;
  return Object.assign(fake, {
    url,
    key: KEY,
    secret: SECRET,
    region: REGION,
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  });
}

interface Call {
  request: IncomingMessage;
  response: ServerResponse;
  body: Buffer;
}

function answer(fake: Pick<FakeBucket, 'objects' | 'requests' | 'fault'>, { request, response, body }: Call): void {
  const { method = '', headers } = request;
  const path = new URL(request.url ?? '/', 'http://bucket').pathname;
  const isSigned = hasSignature(request, body);
  fake.requests.push({ method, path, isSigned });
  if (fake.fault === 'hang') return;
  if (fake.fault === 'away') return void response.writeHead(503).end('<Error><Code>SlowDown</Code></Error>');
  if (!isSigned) return void response.writeHead(403).end('<Error><Code>SignatureDoesNotMatch</Code></Error>');
  if (!path.startsWith(`${BUCKET}/`))
    return void response.writeHead(404).end('<Error><Code>NoSuchBucket</Code></Error>');
  const key = path.slice(BUCKET.length + 1);
  const found = fake.objects.get(key);
  if (method === 'PUT') fake.objects.set(key, { bytes: body, contentType: headers['content-type'] ?? '' });
  if (method === 'DELETE') fake.objects.delete(key);
  if (fake.fault === 'lost') return void response.destroy();
  if (method === 'PUT') return void response.writeHead(200).end();
  if (method === 'DELETE') return void response.writeHead(204).end();
  if (!found) return void response.writeHead(404).end('<Error><Code>NoSuchKey</Code></Error>');
  response.writeHead(200, { 'content-type': found.contentType, 'content-length': found.bytes.length });
  if (fake.fault !== 'cut') return void response.end(found.bytes);
  response.write(found.bytes.subarray(0, Math.ceil(found.bytes.length / 2)), () => response.destroy());
}

/** "Signature Calculations for the Authorization Header", AWS documentation of S3. */
function hasSignature(request: IncomingMessage, body: Buffer): boolean {
  const given = /^AWS4-HMAC-SHA256 Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
    request.headers.authorization ?? '',
  );
  const payloadHash = String(request.headers['x-amz-content-sha256'] ?? '');
  const isWhole = payloadHash === 'UNSIGNED-PAYLOAD' ? body.length === 0 : payloadHash === hashOf(body);
  if (!given || !isWhole) return false;
  const [, credential = '', signedNames = '', signature = ''] = given;
  const [key, day = '', region = '', service = '', end = ''] = credential.split('/');
  const date = String(request.headers['x-amz-date'] ?? '');
  if (key !== KEY || region !== REGION || service !== 's3' || end !== 'aws4_request' || !date.startsWith(day))
    return false;
  const names = signedNames.split(';');
  if (!names.includes('host') || !names.includes('x-amz-content-sha256')) return false;
  const { pathname } = new URL(request.url ?? '/', 'http://bucket');
  const lines = names.map((name) => `${name}:${String(request.headers[name] ?? '').trim()}\n`);
  const canonical = [request.method, pathname, '', lines.join(''), signedNames, payloadHash].join('\n');
  const scope = [day, region, service, end].join('/');
  const text = ['AWS4-HMAC-SHA256', date, scope, hashOf(Buffer.from(canonical))].join('\n');
  const signingKey = [day, region, service, end].reduce<Buffer | string>(
    (from, part) => hmac(from, part),
    `AWS4${SECRET}`,
  );
  return timingSafeEqual(hmac(signingKey, text), Buffer.from(signature, 'hex'));
}

function hmac(key: Buffer | string, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
