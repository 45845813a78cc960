const closed = new AbortController();

/** Aborted when the reader of standard output has gone away, as `head` does after its lines. */
export const outputClosed: AbortSignal = closed.signal;

/** Handles the 'error' event of a stream that writes to standard output. */
export function noteOutputError(error: NodeJS.ErrnoException): void {
  // A log that cannot be written, on a full disk perhaps, is no reason to stop the service.
  if (error.code === 'EPIPE') closed.abort();
}

/** Keeps a closed pipe from ending the process at once, which would leave its child processes running. */
export function watchOutput(): void {
  process.stdout.on('error', noteOutputError);
  process.stderr.on('error', () => undefined);
}
