import type { IncomingMessage } from 'node:http';
import { Problem } from '../../lib/errors.ts';
import { notReady } from './problem.ts';

export interface BodyLimits {
  /** Bytes of one body. */
  bytes: number;
  /** Milliseconds until the whole body must be there. */
  ms: number;
  /** Requests at a time. */
  requests: number;
  /** Bytes of all bodies at a time. */
  totalBytes: number;
}

/** Milliseconds in which a refused sender may read the answer, before its connection is cut. */
const LINGER_MS = 2000;

/** Admits requests of strangers, and reads their bodies within limits on each and on all of them together. */
export class BodyGate {
  readonly #limits: BodyLimits;
  #requests = 0;
  #bytes = 0;

  constructor(limits: BodyLimits) {
    this.#limits = limits;
  }

  /**
   * Runs `work`, which may read the body. Throws a 413 for a body that announces itself as too large, and a 503 when too many requests
   * are in work.
   */
  async admit<Result>(
    request: IncomingMessage,
    work: (readBody: () => Promise<Buffer>) => Promise<Result>,
  ): Promise<Result> {
    if (Number(request.headers['content-length'] ?? 0) > this.#limits.bytes) throw tooLarge();
    if (this.#requests >= this.#limits.requests) throw tooMany();
    this.#requests += 1;
    let held = 0;
    const hold = (bytes: number): void => {
      held += bytes;
      this.#bytes += bytes;
      if (held > this.#limits.bytes) throw tooLarge();
      if (this.#bytes > this.#limits.totalBytes) throw tooMany();
    };
    try {
      return await work(() => readBody(request, { ms: this.#limits.ms, hold }));
    } finally {
      this.#requests -= 1;
      this.#bytes -= held;
    }
  }
}

/** Reads a body. `hold` is called with the length of each piece, and refuses it by throwing. */
function readBody(
  request: IncomingMessage,
  { ms, hold }: { ms: number; hold: (bytes: number) => void },
): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const chunks: Buffer[] = [];
  const onData = (chunk: Buffer): void => {
    try {
      hold(chunk.length);
      chunks.push(chunk);
    } catch (problem) {
      request.off('data', onData);
      reject(problem);
    }
  };
  const timer = setTimeout(() => {
    request.off('data', onData);
    reject(tooSlow());
  }, ms);
  request.on('data', onData);
  request.once('end', () => resolve(Buffer.concat(chunks)));
  request.once('error', reject);
  request.once('close', () => reject(brokenOff()));
  return promise.finally(() => clearTimeout(timer));
}

/** Drops what is left of a body after its answer, and cuts the connection of a sender that goes on. */
export function cutOffAfterAnswer(request: IncomingMessage): void {
  if (request.complete) return;
  // Closing at once could reset the connection before the sender has read the answer.
  request.resume();
  const timer = setTimeout(() => request.socket.destroy(), LINGER_MS);
  request.once('end', () => clearTimeout(timer));
  request.once('close', () => clearTimeout(timer));
}

function tooLarge(): Problem {
  return new Problem('The body is too large', { status: 413, code: 'too-large', title: 'Content too large' });
}

function tooMany(): Problem {
  return notReady('Too many requests arrive at the moment');
}

function tooSlow(): Problem {
  return new Problem('The body did not arrive in time', {
    status: 408,
    code: 'too-slow',
    title: 'Request timeout',
    retryable: true,
  });
}

function brokenOff(): Problem {
  return new Problem('The body broke off', { status: 400, code: 'invalid-request', title: 'Bad request' });
}
