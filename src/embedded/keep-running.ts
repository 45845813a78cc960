import { readFileSync } from 'node:fs';
import path from 'node:path';

export interface Keeper {
  /** Waits for a start in progress, and starts nothing afterwards. */
  stop(): Promise<void>;
  /** Pauses the checks while `work` restarts the server on purpose. */
  pausedFor(work: () => Promise<void>): Promise<void>;
}

const LOOK_MS = 2000;

/**
 * Restarts the server when it has ended by itself. PostgreSQL ends when the disk is too full for its log, and cannot
 * recover until there is room again. It then loses no confirmed commit.
 */
export function keepRunning(directory: string, start: () => Promise<void>): Keeper {
  let isPaused = false;
  let starting: Promise<void> | null = null;
  const look = (): void => {
    if (isPaused || starting || isAlive(directory)) return;
    // The next check retries: the reason is in the server's own log.
    starting = start()
      .catch(() => undefined)
      .finally(() => {
        starting = null;
      });
  };
  const timer = setInterval(look, LOOK_MS).unref();
  return {
    async stop() {
      clearInterval(timer);
      await starting;
    },
    async pausedFor(work) {
      isPaused = true;
      await starting;
      await work().finally(() => {
        isPaused = false;
      });
    },
  };
}

function isAlive(directory: string): boolean {
  try {
    process.kill(Number(readFileSync(path.join(directory, 'postmaster.pid'), 'utf8').split('\n')[0]), 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
