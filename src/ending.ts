import type { Config } from './config.ts';
import { outputClosed } from './lib/closed-output.ts';
import type { Log } from './lib/log.ts';

/** Ctrl-C in a terminal reaches us twice when whoever started us (npm, bin/smista.js) passes its own signal on. */
const SAME_SIGNAL_MS = 500;
/** Above the grace of all steps of a stop together. */
const FORCED_EXIT_SECONDS = 15;

/** Thrown by a start that was interrupted, after it undid what it had done. */
export class Interrupted extends Error {
  readonly exitCode: number;

  constructor(exitCode: number) {
    super('The start was interrupted');
    this.name = 'Interrupted';
    this.exitCode = exitCode;
  }
}

export interface Ending {
  /** Aborted by a signal or a closed standard output. A start looks at it between its steps. */
  signal: AbortSignal;
  /** Says how to stop what was started; before that, an end only aborts the signal. */
  stopWith(stop: () => Promise<void>): void;
}

/** Ends the process in order on SIGINT, SIGTERM and when nothing reads its output any more. A second signal ends it at once. */
export function awaitEnd({ config, log }: { config: Config; log: Log }): Ending {
  const starting = new AbortController();
  let stop: (() => Promise<void>) | null = null;
  let endingSince: number | null = null;
  let exitCode = 0;

  const carryOut = (): void => {
    stop?.().then(
      () => process.exit(exitCode),
      (err) => {
        log.error({ err }, 'the stop failed');
        process.exit(1);
      },
    );
  };
  const end = (code: number): void => {
    endingSince = performance.now();
    exitCode = code;
    const forced = (): void => {
      log.error('the stop took too long');
      process.exit(1);
    };
    setTimeout(forced, (config.shutdownSeconds + FORCED_EXIT_SECONDS) * 1000).unref();
    starting.abort(new Interrupted(code));
    carryOut();
  };
  const onSignal = (signal: string): void => {
    if (endingSince !== null) {
      if (performance.now() - endingSince < SAME_SIGNAL_MS) return;
      log.warn('second signal, leaving at once');
      process.exit(1);
    }
    log.info({ signal }, 'stopping');
    end(0);
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  // Not 0: whoever supervises the service should start it again.
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
