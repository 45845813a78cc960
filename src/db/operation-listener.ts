import type { Notifications } from './notifications.ts';
import type { Orm } from './orm.ts';
import { OPERATION_CHANNEL } from './queries/operations.ts';
import { isOperationOpen } from './queries/read-operation.ts';

/** Covers a lost notification and the time of a reconnect. */
const REREAD_MS = 2000;
/** Notifications that are remembered, for waits that begin a moment after theirs. */
const REMEMBERED = 1000;

/** Waits for operations by PostgreSQL notifications. */
export class OperationListener {
  readonly #orm: Orm;
  readonly #waiting = new Map<number, Set<(isTold: boolean) => void>>();
  readonly #told = new Set<number>();
  #closed = false;

  constructor(options: { orm: Orm; notifications: Notifications }) {
    this.#orm = options.orm;
    options.notifications.subscribe(OPERATION_CHANNEL, {
      onMessage: (id) => this.#hear(Number(id)),
      onGap: () => this.#wakeAll(),
    });
  }

  /** Ends every wait now, so that requests answer with the settled items instead of delaying a stop. */
  release(): void {
    this.#closed = true;
    this.#wakeAll();
  }

  /**
   * Resolves when no item of the operation is open, or at the timeout; returns which. An operation that was just made with one open item
   * is over with its first notification, so nothing is read.
   */
  async wait(operationId: number, timeoutMs: number, { isSingle = false } = {}): Promise<boolean> {
    const deadline = Date.now() + timeoutMs;
    if (isSingle && this.#told.has(operationId)) return true;
    for (let isKnownOpen = isSingle; ; isKnownOpen = false) {
      const woken = this.#nextWake(operationId, Math.min(REREAD_MS, Math.max(0, deadline - Date.now())));
      if (!isKnownOpen && !(await isOperationOpen(this.#orm, operationId))) {
        woken.cancel();
        return true;
      }
      if (Date.now() >= deadline || this.#closed) {
        woken.cancel();
        return false;
      }
      const isTold = await woken.promise;
      if (isSingle && isTold) return true;
    }
  }

  #nextWake(operationId: number, ms: number): { promise: Promise<boolean>; cancel: () => void } {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const waiters = this.#waiting.get(operationId) ?? new Set();
    this.#waiting.set(operationId, waiters);
    const done = (isTold: boolean): void => {
      clearTimeout(timer);
      waiters.delete(done);
      if (waiters.size === 0 && this.#waiting.get(operationId) === waiters) this.#waiting.delete(operationId);
      resolve(isTold);
    };
    const timer = setTimeout(done, ms, false);
    waiters.add(done);
    return { promise, cancel: () => done(false) };
  }

  #hear(operationId: number): void {
    this.#told.add(operationId);
    const [oldest] = this.#told;
    if (this.#told.size > REMEMBERED && oldest !== undefined) this.#told.delete(oldest);
    this.#wake(operationId, true);
  }

  #wake(operationId: number, isTold: boolean): void {
    for (const done of [...(this.#waiting.get(operationId) ?? [])]) done(isTold);
  }

  #wakeAll(): void {
    for (const id of this.#waiting.keys()) this.#wake(id, false);
  }
}
