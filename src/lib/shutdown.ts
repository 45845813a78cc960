import type { Log } from './log.ts';

/** Milliseconds for each step after the deadline: enough to close a connection. */
const GRACE_MS = 1_500;

/** One deadline for everything that stops. A step that exceeds it is abandoned and named in the log. */
export class Shutdown {
  readonly #log: Log;
  readonly #totalMs: number;
  #endsAt: number | undefined;

  constructor({ log, totalMs }: { log: Log; totalMs: number }) {
    this.#log = log;
    this.#totalMs = totalMs;
  }

  /** Milliseconds for the whole stop, from its first step. */
  get remainingMs(): number {
    this.#endsAt ??= performance.now() + this.#totalMs;
    return Math.max(0, this.#endsAt - performance.now());
  }

  /**
   * Returns a disposer for the stack. `stop` learns how many milliseconds it has, and should abort its work by then.
   */
  step(name: string, stop: (remainingMs: number) => unknown): () => Promise<void> {
    return async () => {
      const { remainingMs } = this;
      const { promise: late, resolve } = Promise.withResolvers<'late'>();
      const timer = setTimeout(() => resolve('late'), remainingMs + GRACE_MS);
      try {
        const stopping = (async () => stop(remainingMs))();
        if ((await Promise.race([stopping, late])) !== 'late') return;
        this.#log.error({ step: name }, 'shutdown step cut off');
        stopping.catch((err) => this.#log.warn({ err, step: name }, 'shutdown step failed after it was cut off'));
      } finally {
        clearTimeout(timer);
      }
    };
  }
}
