import type { Notifications } from './notifications.ts';
import type { Orm } from './orm.ts';
import { OPERATION_CHANNEL } from './queries/operations.ts';
import { isOperationOpen } from './queries/read-operation.ts';

/** Covers a lost notification and the time of a reconnect. */
const REREAD_MS = 2000;

/** Waits for operations by PostgreSQL notifications. */
export class OperationListener {
  readonly #orm: Orm;
  readonly #waiting = new Map<number, Set<() => void>>();
  #closed = false;

  constructor(options: { orm: Orm; notifications: Notifications }) {
    this.#orm = options.orm;
    options.notifications.subscribe(OPERATION_CHANNEL, {
      onMessage: (id) => this.#wake(Number(id)),
      onGap: () => this.#wakeAll(),
    });
  }

  /** Ends every wait now, so that requests answer with the settled items instead of delaying a stop. */
  release(): void {
    this.#closed = true;
    this.#wakeAll();
  }

  /** Resolves when no item of the operation is open, or at the timeout; returns which. */
  async wait(operationId: number, timeoutMs: number): Promise<boolean> {
    const deadline = Date.now() + timeoutMs;
    for (;;) {
      const woken = this.#nextWake(operationId, Math.min(REREAD_MS, Math.max(0, deadline - Date.now())));
      if (!(await isOperationOpen(this.#orm, operationId))) {
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

  #wakeAll(): void {
    for (const id of this.#waiting.keys()) this.#wake(id);
  }
}
