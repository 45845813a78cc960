import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { freePort } from '../src/lib/free-port.ts';

const PATIENCE_MS = 10_000;

/** A Redis that keeps nothing over a restart. */
export interface ThrowAwayRedis {
  url: string;
  /** SIGKILL and a new, empty one on the same port. */
  crash(): Promise<void>;
  flush(): Promise<void>;
  stop(): Promise<void>;
}

export function hasRedis(): boolean {
  try {
    execFileSync('redis-server', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false; // not installed
  }
}

export async function startRedis(): Promise<ThrowAwayRedis> {
  const port = await freePort();
  const url = `redis://127.0.0.1:${port}`;
  let child = await launch(port, url);
  return {
    url,
    async crash() {
      await end(child);
      child = await launch(port, url);
    },
    flush: () => ask(url, (client) => client.flushall()),
    stop: () => end(child),
  };
}

async function launch(port: number, url: string): Promise<ChildProcess> {
  const args = ['--port', String(port), '--save', '', '--appendonly', 'no', '--bind', '127.0.0.1'];
  const child = spawn('redis-server', args, { stdio: 'ignore', detached: true });
  await ask(url, (client) => client.ping());
  return child;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await ended;
}

async function ask(url: string, run: (client: Redis) => Promise<unknown>): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const client = new Redis(url, { lazyConnect: true, maxRetriesPerRequest: 0, retryStrategy: () => null });
    client.on('error', () => undefined); // told by connect
    try {
      await client.connect();
      await run(client);
      return;
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await delay(50);
    } finally {
      client.disconnect();
    }
  }
}
