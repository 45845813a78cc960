import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

/**
 * Behaviours of a pretend printer with a raw port. `cuts`: resets the connection after the first bytes. `loses`: prints
 * everything and resets the connection, so its confirmation is lost. `ends-early`: ends it before anything was read.
 */
export type Mood = 'prints' | 'cuts' | 'loses' | 'ends-early' | 'hangs';

export interface PretendPrinter {
  port: number;
  /** The bytes of each connection, as the printer read them. */
  received: string[];
  /** The most connections that were open at a time. */
  most: number;
  /** Returns the behaviour for the next connection. */
  moods: () => Mood;
  /** Tells whether the printer is gone after a connection, until it is switched on. */
  leaves: () => boolean;
  behave(mood: Mood): void;
  /** Refuses connections until it is switched on. */
  switchOff(): Promise<void>;
  switchOn(): Promise<void>;
  close(): Promise<void>;
}

/** Starts a printer on this machine. */
export async function startPretendPrinter(): Promise<PretendPrinter> {
  const received: string[] = [];
  const sockets = new Set<Socket>();
  let open = 0;
  const server: Server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    if (printer.leaves()) server.close();
    socket.on('close', () => sockets.delete(socket));
    const at = received.push('') - 1;
    const own = printer.moods();
    open += 1;
    printer.most = Math.max(printer.most, open);
    let isOpen = true;
    const finish = (end: () => void): void => {
      if (isOpen) open -= 1;
      isOpen = false;
      end();
    };
    if (own === 'ends-early') return finish(() => socket.end());
    socket.on('data', (bytes) => {
      received[at] += bytes.toString('latin1');
      if (own === 'cuts') finish(() => socket.resetAndDestroy());
    });
    socket.on('end', () => {
      if (own === 'prints') finish(() => socket.end());
      if (own === 'loses') finish(() => socket.resetAndDestroy());
    });
  });
  const listen = (port: number) => new Promise<void>((done) => server.listen(port, '127.0.0.1', done));
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const switchOff = async (): Promise<void> => {
    if (!server.listening) return;
    const closed = new Promise<void>((done) => server.close(() => done()));
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  const printer: PretendPrinter = {
    port,
    received,
    most: 0,
    moods: () => 'prints',
    leaves: () => false,
    behave: (mood) => {
      printer.moods = () => mood;
    },
    switchOff,
    async switchOn() {
      if (!server.listening) await listen(port);
    },
    close: switchOff,
  };
  return printer;
}
