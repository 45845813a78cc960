import { setTimeout as delay } from 'node:timers/promises';
import type { NextFunction, Request, Response, Router } from 'express';
import type { Fault, FaultName } from './partner.ts';

/** How many faults were served, by what they are and by what they hit. */
export interface FaultCounts {
  total: number;
  byFault: Record<string, number>;
  byOperation: Record<string, number>;
}

/** The faults switched on, in the order they were, and the count of those served. */
export class FaultBoard {
  readonly #faults: Fault[] = [];
  readonly #counts: FaultCounts = { total: 0, byFault: {}, byOperation: {} };

  count({ fault, operation }: { fault: FaultName; operation: string }): void {
    this.#counts.total += 1;
    this.#counts.byFault[fault] = (this.#counts.byFault[fault] ?? 0) + 1;
    this.#counts.byOperation[operation] = (this.#counts.byOperation[operation] ?? 0) + 1;
  }

  counts(): FaultCounts {
    return structuredClone(this.#counts);
  }

  add(fault: Fault): void {
    this.#faults.push({ ...fault });
  }

  clear(): void {
    this.#faults.length = 0;
  }

  list(): Fault[] {
    return this.#faults.map((fault) => ({ ...fault }));
  }

  /** Uses up one hit of the first fault meant for this call. */
  take(partner: string, operation: string): Fault | null {
    const at = this.#faults.findIndex(
      (fault) => fault.partner === partner && (fault.operation === '*' || fault.operation === operation),
    );
    const fault = this.#faults[at];
    if (!fault) return null;
    fault.times -= 1;
    if (fault.times <= 0) this.#faults.splice(at, 1);
    return { ...fault };
  }
}

/** Serves one call with a fault applied to it. */
export async function serveFaulty(
  fault: Fault,
  router: Router,
  request: Request,
  response: Response,
  next: NextFunction,
): Promise<void> {
  switch (fault.fault) {
    case 'delay':
      await delay(fault.delayMs ?? 1000);
      router(request, response, next);
      return;
    case 'reset':
      request.socket.destroy();
      return;
    case 'status-429':
      response.status(429).set('Retry-After', '1').type('text/plain').send('Too many requests');
      return;
    case 'status-500':
      response.status(500).type('text/html').send('<html><body><h1>Server Error</h1></body></html>');
      return;
    case 'status-503':
      response.status(503).set('Retry-After', '1').type('text/plain').send('Service unavailable');
      return;
    case 'accept-then-hang':
      swallow(response);
      router(request, response, next);
      if (fault.delayMs !== undefined) setTimeout(() => request.socket.destroy(), fault.delayMs).unref();
      return;
    case 'accept-then-500':
      answerInstead(response, (send) => send(500, Buffer.from('<html><body><h1>Server Error</h1></body></html>')));
      router(request, response, next);
      return;
    case 'accept-twice':
      await acceptOnceMore(router, request, response, next);
      return;
    case 'malformed':
      answerInstead(response, (send, status, body) => send(status, body.subarray(0, Math.floor(body.length / 2))));
      router(request, response, next);
      return;
    case 'wrong-encoding':
      answerInstead(response, (send, status, body) => send(status, Buffer.from(body.toString('utf8'), 'utf16le')));
      router(request, response, next);
      return;
    case 'html':
      answerInstead(response, (send) => {
        response.setHeader('Content-Type', 'text/html; charset=utf-8');
        send(200, Buffer.from(HTML_PAGE));
      });
      router(request, response, next);
      return;
    case 'empty':
      answerInstead(response, (send) => send(200, Buffer.alloc(0)));
      router(request, response, next);
      return;
    case 'truncated':
      cutShort(response, request);
      router(request, response, next);
      return;
    case 'huge':
      answerInstead(response, (send, status, body) =>
        send(status, Buffer.concat([body, Buffer.alloc(HUGE_BYTES, ' ')])),
      );
      router(request, response, next);
      return;
    case 'proxy-200':
      response.status(200).type('application/json').send('null');
      return;
    case 'proxy-202':
      response.status(202).end();
      return;
    case 'proxy-401':
      response.status(401).type('text/html').send('<html><body><h1>Authorization Required</h1></body></html>');
      return;
    case 'proxy-403':
      response.status(403).type('text/html').send('<html><body><h1>Forbidden</h1></body></html>');
      return;
    case 'proxy-404':
      response.status(404).end();
      return;
    case 'refuse':
      request.socket.destroy();
  }
}

const HTML_PAGE = '<html><head><title>Manutenzione</title></head><body><h1>Il servizio torna presto</h1></body></html>';
const HUGE_BYTES = 21 * 1024 * 1024;

type Send = (status: number, body: Buffer) => void;

/** Lets the partner do its work, then sends another answer than the one it made. */
function answerInstead(response: Response, answer: (send: Send, status: number, body: Buffer) => void): void {
  const end = response.end.bind(response);
  response.write = (() => true) as never;
  response.end = ((chunk?: string | Buffer) => {
    answer(
      (status, body) => {
        response.statusCode = status;
        response.removeHeader('ETag');
        response.setHeader('Content-Length', body.length);
        end(body);
      },
      response.statusCode,
      Buffer.from(chunk ?? ''),
    );
    return response;
  }) as never;
}

/** Lets the partner do its work, promises its whole answer, sends half of it and hangs up. */
function cutShort(response: Response, request: Request): void {
  const { end, write } = { end: response.end, write: response.write.bind(response) };
  response.write = (() => true) as never;
  response.end = ((chunk?: string | Buffer) => {
    const body = Buffer.from(chunk ?? '');
    response.end = end;
    response.setHeader('Content-Length', body.length + 1);
    write(body.subarray(0, Math.ceil(body.length / 2)), () => request.socket.destroy());
    return response;
  }) as never;
}

/** Lets the partner do its work and never answers. */
function swallow(response: Response): void {
  response.write = (() => true) as never;
  response.end = (() => response) as never;
}

/** Books the same request twice, as a partner does whose own front end retried; the second answer is sent. */
async function acceptOnceMore(router: Router, request: Request, response: Response, next: NextFunction): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const silent = Object.create(response) as Response;
  silent.setHeader = (() => silent) as never;
  silent.write = (() => true) as never;
  silent.end = (() => {
    resolve();
    return silent;
  }) as never;
  const { url, baseUrl } = request;
  router(request, silent, () => resolve());
  await promise;
  // Routers inside the partner's own have taken off what they are mounted at.
  Object.assign(request, { url, baseUrl });
  response.statusCode = 200;
  router(request, response, next);
}
