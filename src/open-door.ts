import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createFrontDoor, type FrontDoor } from './api/front-door.ts';
import { type Config, shownHost } from './config.ts';
import { UsageError } from './lib/errors.ts';

/** Binds the port first: a wrong PORT fails before any work starts, and early clients get 503 instead of a refused connection. */
export async function openDoor(
  stack: AsyncDisposableStack,
  { host }: Config,
  { setting, port }: { setting: string; port: number },
): Promise<FrontDoor> {
  const door = createFrontDoor();
  await named(setting, port, () => listen(door.server, { host, port }));
  // A failed start needs this; a regular stop has closed the server before.
  stack.defer(() => door.close(0));
  return door;
}

/** Returns the base URL of an open port. */
export function urlOf({ server }: FrontDoor, { host }: Pick<Config, 'host'>): string {
  return `http://${shownHost(host)}:${(server.address() as AddressInfo).port}`;
}

async function listen(server: Server, { host, port }: { host: string; port: number }): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen(port, host, resolve);
  await promise;
  server.removeListener('error', reject);
}

/** Starts a server. Throws a `UsageError` that names the setting when its port is in use. */
export async function named<Value>(setting: string, port: number, start: () => Promise<Value>): Promise<Value> {
  try {
    return await start();
  } catch (cause) {
    const { code, message } = cause as { code?: string; message?: string };
    if (code === 'EADDRINUSE') throw new UsageError(`Port ${port} is in use: set ${setting} to another one`, { cause });
    if (code === 'EACCES' || code === 'EADDRNOTAVAIL') throw new UsageError(`Cannot listen: ${message}`, { cause });
    throw cause;
  }
}
