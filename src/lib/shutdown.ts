import type { Log } from './log.ts';

/** After the deadline each step still gets this long: enough for what only has to hang up. */
const GRACE_MS = 1_500;

/** One deadline for everything that stops. A step that does not end in its time is left behind and named in the log. */
export class Shutdown {
  readonly #log: Log;
  readonly #totalMs: number;
  #endsAt: number | undefined;

  constructor({ log, totalMs }: { log: Log; totalMs: number }) {
    this.#log = log;
    this.#totalMs = totalMs;
  }

  /** Of the whole stop; counts from its first step. */
  get remainingMs(): number {
    this.#endsAt ??= performance.now() + this.#totalMs;
    return Math.max(0, this.#endsAt - performance.now());
  }

  /** A stop for the stack. `stop` is told how long it may take, and should abort what is in flight by then. */
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
