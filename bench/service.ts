import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { DemoAccount } from '../src/demo-account.ts';

export interface Service {
  demo: DemoAccount;
  databaseUrl: string;
  /** From the start of the process until it said that it is ready. */
  startMs: number;
  rssMb(): number;
  stop(): Promise<void>;
}

/** The product as a user starts it: one process, embedded PostgreSQL, pretend partners; warm, so started once before. */
export async function startService(): Promise<Service> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'smista-bench-'));
  const cold = await launch(dataDir);
  await stop(cold.child);
  const { child, startMs } = await launch(dataDir);
  const read = (file: string): string => readFileSync(path.join(dataDir, file), 'utf8');
  const { databasePassword } = JSON.parse(read('secrets.json')) as { databasePassword: string };
  const port = read('postgres/postmaster.pid').split('\n')[3];
  return {
    demo: JSON.parse(read('demo.json')) as DemoAccount,
    databaseUrl: `postgres://smista:${encodeURIComponent(databasePassword)}@127.0.0.1:${port}/postgres`,
    startMs,
    rssMb: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1] ?? 0) / 1024,
    stop: async () => {
      await stop(child);
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function launch(dataDir: string): Promise<{ child: ChildProcess; startMs: number }> {
  const started = performance.now();
  const child = spawn(process.execPath, ['src/main.ts', 'start'], {
    env: {
      ...process.env,
      DATA_DIR: dataDir,
      PORT: '0',
      SANDBOX_PORT: '0',
      LOG_LEVEL: 'error',
      RATE_LIMIT_PER_MINUTE: '0',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  child.once('exit', (code) => reject(new Error(`The service ended with ${code}`)));
  child.stdout.on('data', (chunk: Buffer) => {
    if (chunk.includes('smista is ready')) resolve(performance.now() - started);
  });
  const startMs = await promise;
  child.removeAllListeners('exit');
  return { child, startMs };
}

async function stop(child: ChildProcess): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  child.once('exit', () => resolve());
  child.kill('SIGTERM');
  await promise;
}
