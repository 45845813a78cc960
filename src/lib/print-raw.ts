import { connect, type Socket } from 'node:net';

/**
 * The truth about paper. `not-printed`: no byte left, so printing again is safe. `unknown`: bytes left and the printer
 * did not confirm them, so only a person at the printer can tell.
 */
export type PrintResult =
  | { outcome: 'printed' }
  | { outcome: 'not-printed' | 'unknown'; error: PrintError; reason?: string };

export type PrintError =
  | 'address-refused'
  | 'unreachable'
  | 'timed-out'
  | 'connection-lost'
  | 'closed-early'
  | 'stopped'
  | 'refused'
  | 'job-stopped';

export interface RawPrint {
  /** An IP address that was checked: no look-up follows. */
  ip: string;
  port: number;
  bytes: Uint8Array;
  signal: AbortSignal;
  connectMs?: number;
  /** Milliseconds without any progress until the outcome counts as unknown. */
  idleMs?: number;
  /** Milliseconds between the last byte and the end of the connection; must exceed a round trip. */
  settleMs?: number;
}

const CONNECT_MS = 5000;
const IDLE_MS = 30_000;
const SETTLE_MS = 250;

/**
 * Prints on a raw port (JetDirect). Such a port has no answer. The proof is that the printer ends the connection
 * after we ended ours, without a reset. A printer that ends it first may have missed the last bytes: its end and our
 * bytes cross on the wire. So our end waits for a round trip, in which a reset shows.
 */
export function printRaw(print: RawPrint): Promise<PrintResult> {
  const { ip, port, bytes, signal, connectMs = CONNECT_MS, idleMs = IDLE_MS, settleMs = SETTLE_MS } = print;
  if (signal.aborted) return Promise.resolve({ outcome: 'not-printed', error: 'stopped' });
  const { promise, resolve } = Promise.withResolvers<PrintResult>();
  const socket = connect({ host: ip, port, allowHalfOpen: true, noDelay: true });
  let hasSent = false;
  let hasEnded = false;
  const limit = setTimeout(() => fail('timed-out'), connectMs);
  let settle: NodeJS.Timeout | undefined;

  const finish = (result: PrintResult): void => {
    clearTimeout(limit);
    clearTimeout(settle);
    signal.removeEventListener('abort', onAbort);
    // After `printed` both sides have ended. In any other case a reset tells the printer to wait for nothing.
    socket.destroy();
    resolve(result);
  };
  const fail = (error: PrintError): void => finish({ outcome: hasSent ? 'unknown' : 'not-printed', error });
  const onAbort = (): void => fail('stopped');

  signal.addEventListener('abort', onAbort, { once: true });
  socket.on('error', () => fail(hasSent ? 'connection-lost' : 'unreachable'));
  socket.on('close', () => fail('connection-lost'));
  socket.on('end', () => (hasEnded ? finish({ outcome: 'printed' }) : fail('closed-early')));
  // Some printers report their status unasked; it says nothing about this label.
  socket.resume();
  socket.on('connect', () => {
    clearTimeout(limit);
    hasSent = true;
    socket.setTimeout(idleMs, () => fail('timed-out'));
    socket.write(bytes, (error) => {
      if (!error) settle = setTimeout(() => endOf(socket, () => (hasEnded = true)), settleMs);
    });
  });
  return promise;
}

/** Ends our side. The mark comes first, because the printer's end may arrive with the acknowledgement of ours. */
function endOf(socket: Socket, mark: () => void): void {
  mark();
  socket.end();
}
