import pg from 'pg';
import type { Log } from '../lib/log.ts';
import { type Orm, systemEm } from './orm.ts';
import { countOpenItems, OPERATION_CHANNEL } from './queries/operations.ts';

/** Covers a lost notification and the time of a reconnect. */
const REREAD_MS = 2000;
const RECONNECT_MS = 1000;

/** Waits for operations by PostgreSQL notifications: one LISTEN connection per process, whatever the number of waiters. */
export class OperationListener {
  readonly #orm: Orm;
  readonly #databaseUrl: string;
  readonly #log: Log;
  readonly #waiting = new Map<number, Set<() => void>>();
  #client: pg.Client | undefined;
  #reconnect: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: { orm: Orm; databaseUrl: string; log: Log }) {
    this.#orm = options.orm;
    this.#databaseUrl = options.databaseUrl;
    this.#log = options.log;
  }

  async start(): Promise<void> {
    const client = new pg.Client({
      connectionString: this.#databaseUrl,
      keepAlive: true,
      application_name: 'smista-listen',
    });
    client.on('error', (err) => this.#lost(client, err));
    client.on('end', () => this.#lost(client));
    client.on('notification', (message) => this.#wake(Number(message.payload)));
    await client.connect();
    await client.query(`listen ${OPERATION_CHANNEL}`);
    if (this.#closed) return client.end(); // stopped while it connected
    this.#client = client;
    for (const id of this.#waiting.keys()) this.#wake(id);
  }

  /** Ends every wait now, so that requests answer with what is settled instead of keeping a stop waiting. */
  release(): void {
    this.#closed = true;
    clearTimeout(this.#reconnect);
    for (const id of this.#waiting.keys()) this.#wake(id);
  }

  async stop(): Promise<void> {
    this.release();
    await this.#client?.end();
  }

  /** Resolves when nothing of the operation is open any more, or when the time is over; tells which. */
  async wait(operationId: number, timeoutMs: number): Promise<boolean> {
    const deadline = Date.now() + timeoutMs;
    for (;;) {
      const woken = this.#nextWake(operationId, Math.min(REREAD_MS, Math.max(0, deadline - Date.now())));
      if ((await countOpenItems(systemEm(this.#orm), operationId)) === 0) {
        woken.cancel();
        return true;
      }
      if (Date.now() >= deadline || this.#closed) {
        woken.cancel();
        return false;
      }
      await woken.promise;
    }
  }

  #nextWake(operationId: number, ms: number): { promise: Promise<void>; cancel: () => void } {
    const { promise, resolve } = Promise.withResolvers<void>();
    const waiters = this.#waiting.get(operationId) ?? new Set();
    this.#waiting.set(operationId, waiters);
    const done = (): void => {
      clearTimeout(timer);
      waiters.delete(done);
      if (waiters.size === 0 && this.#waiting.get(operationId) === waiters) this.#waiting.delete(operationId);
      resolve();
    };
    const timer = setTimeout(done, ms);
    waiters.add(done);
    return { promise, cancel: done };
  }

  #wake(operationId: number): void {
    for (const done of [...(this.#waiting.get(operationId) ?? [])]) done();
  }

  #lost(client: pg.Client, err?: Error): void {
    if (this.#closed || client !== this.#client) return;
    this.#client = undefined;
    this.#log.warn({ err }, 'operation listener lost its connection');
    this.#scheduleReconnect();
  }

  #scheduleReconnect(): void {
    this.#reconnect = setTimeout(() => {
      this.start().catch(() => this.#scheduleReconnect());
    }, RECONNECT_MS);
  }
}
