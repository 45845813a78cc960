import type { Config } from './config.ts';
import { outputClosed } from './lib/closed-output.ts';
import type { Log } from './lib/log.ts';

/** In a terminal Ctrl-C arrives twice, because a parent process (npm, bin/smista.js) forwards its own signal. */
const SAME_SIGNAL_MS = 500;
/** Longer than the grace periods of all shutdown steps together. */
const FORCED_EXIT_SECONDS = 15;

/** An interrupted start throws this after its rollback. */
export class Interrupted extends Error {
  readonly exitCode: number;

  constructor(exitCode: number) {
    super('The start was interrupted');
    this.name = 'Interrupted';
    this.exitCode = exitCode;
  }
}

export interface Ending {
  /** Aborted by a signal or a closed standard output. A start checks it between its steps. */
  signal: AbortSignal;
  /** Registers how to stop the process. Until then, an end only aborts `signal`. */
  stopWith(stop: () => Promise<void>): void;
}

/** Stops the process in order on SIGINT, on SIGTERM and when its output is closed. A second signal exits at once. */
export function awaitEnd({ config, log }: { config: Config; log: Log }): Ending {
  const starting = new AbortController();
  let stop: (() => Promise<void>) | null = null;
  let endingSince: number | null = null;
  let exitCode = 0;

  const carryOut = (): void => {
    stop?.().then(
      () => process.exit(exitCode),
      (err) => {
        log.error({ err }, 'shutdown failed');
        process.exit(1);
      },
    );
  };
  const end = (code: number): void => {
    endingSince = performance.now();
    exitCode = code;
    const forced = (): void => {
      log.error('shutdown timed out');
      process.exit(1);
    };
    setTimeout(forced, (config.shutdownSeconds + FORCED_EXIT_SECONDS) * 1000).unref();
    starting.abort(new Interrupted(code));
    carryOut();
  };
  const onSignal = (signal: string): void => {
    if (endingSince !== null) {
      if (performance.now() - endingSince < SAME_SIGNAL_MS) return;
      log.warn('second signal: exiting at once');
      process.exit(1);
    }
    log.info({ signal }, 'stopping');
    end(0);
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  // Not 0, so that a supervisor restarts the service.
  const onClosed = (): void => {
    if (endingSince !== null) return;
    console.error('smista: standard output was closed, stopping');
    end(1);
  };
  if (outputClosed.aborted) onClosed();
  else outputClosed.addEventListener('abort', onClosed);

  return {
    signal: starting.signal,
    stopWith(how) {
      stop = how;
      if (endingSince !== null) carryOut();
    },
  };
}
