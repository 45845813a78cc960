import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import { sendProblem } from './answers.ts';

/** The secret of every client key. */
const SECRET_KEY = 'sandbox-secret-key';

/** Checks a signature. Client keys start with `sandbox`; one with `inactive` in it may do nothing, one with `readonly` may only read. */
export function requireSignature(right: 'read' | 'write'): RequestHandler {
  return (request, response, next) => {
    const key = request.get('shop-client-key') ?? '';
    const timestamp = request.get('shop-timestamp') ?? '';
    const signature = request.get('shop-signature') ?? '';
    const missing = [
      ['Shop-Client-Key', key !== ''],
      ['Shop-Timestamp', /^\d{10}$/.test(timestamp)],
      ['Shop-Signature', signature !== ''],
      ['User-Agent', Boolean(request.get('user-agent'))],
      ['Accept', Boolean(request.get('accept'))],
    ].find(([, isThere]) => !isThere);
    if (missing) {
      return deny(
        response,
        401,
        'missing-or-invalid-request-header',
        `Header ${String(missing[0])} is missing or invalid`,
      );
    }
    if (!key.startsWith('sandbox')) return deny(response, 401, 'invalid-credentials', 'Invalid client key');
    if (!isSignedWith(signature, request, timestamp)) {
      return deny(response, 401, 'corrupted-signature', 'The signature does not match the request');
    }
    if (key.includes('inactive')) return deny(response, 403, 'inactive-account', 'The seller account is not active');
    if (right === 'write' && key.includes('readonly')) {
      return deny(response, 403, 'forbidden', 'The client key may not do this');
    }
    next();
  };
}

/** Method, address as it was asked for, body and timestamp, a line each. */
function isSignedWith(signature: string, request: Request, timestamp: string): boolean {
  const url = `http://${request.headers.host}${request.originalUrl}`;
  const text = [request.method, url, String(request.body ?? ''), timestamp].join('\n');
  const expected = createHmac('sha256', SECRET_KEY).update(text).digest('hex');
  return signature.length === expected.length && timingSafeEqual(Buffer.from(signature), Buffer.from(expected));
}

function deny(response: Response, status: 401 | 403, type: string, message: string): void {
  sendProblem(response, { status, message, type });
}
