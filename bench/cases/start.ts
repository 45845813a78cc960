/** From the start of a process to its word that it is ready, on a data directory that was used before. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { median } from '../measure.ts';
import { digits, type Options, type Section, tableOf } from '../section.ts';
import { openWorld } from '../world.ts';

const GOALS_MS = { embedded: 4000, given: 2000 };

export async function benchStart({ rounds, progress }: Options): Promise<Section> {
  const directory = mkdtempSync(path.join(tmpdir(), 'smista-bench-'));
  const embedded: number[] = [];
  for (let at = 0; at <= rounds; at++) {
    progress('ready, everything embedded', at / (rounds + 1));
    const ms = await startWhole(directory);
    if (at > 0) embedded.push(ms); // the first one makes the database
  }
  rmSync(directory, { recursive: true, force: true });
  const given: number[] = [];
  await using world = await openWorld({ queue: 'redis', isProfiled: false });
  for (let at = 0; at < rounds; at++) {
    progress('ready, servers given', at / rounds);
    const api = await world.startRole('api');
    given.push(api.readyMs);
    await api.stop();
  }
  const rows = [
    { name: 'all roles, embedded PostgreSQL, pretend partners', ms: median(embedded), goal: GOALS_MS.embedded },
    { name: 'api, PostgreSQL and Redis given', ms: median(given), goal: GOALS_MS.given },
  ];
  return {
    title: 'Start',
    table: tableOf(
      ['Case', 'ready after ms', 'goal ms'],
      rows.map(({ name, ms, goal }) => [name, digits(ms, 0), `${goal}${ms > goal ? ', missed' : ''}`]),
    ),
    notes: ['Warm data directory; median of the rounds.'],
    ratios: rows.map(({ name, ms, goal }) => ({ name: `time allowed: ${name}`, value: goal / ms, goal: 1 })),
    data: rows,
  };
}

async function startWhole(directory: string): Promise<number> {
  const started = performance.now();
  const child = spawn(process.execPath, ['bin/smista.js', 'start'], {
    env: { ...process.env, DATA_DIR: directory, PORT: '0', SANDBOX_PORT: '0', LOG_LEVEL: 'info' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  child.once('exit', (code) => reject(new Error(`The service ended with ${code}`)));
  child.stdout.on('data', (chunk: Buffer) => {
    if (chunk.includes('"msg":"ready"')) resolve(performance.now() - started);
  });
  const ms = await promise;
  child.removeAllListeners('exit');
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
  return ms;
}
