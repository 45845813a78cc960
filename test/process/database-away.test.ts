import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { checkDatabase } from '../../src/db/migrate.ts';
import { cloneDatabase, type TestDatabase } from '../support/test-database.ts';
import { type RunningCommand, smista, startSmista } from './run-command.ts';

/** What PostgreSQL answers while it starts: severity, code 57P03, message. */
const STARTING = (() => {
  const fields = 'SFATAL\0VFATAL\0C57P03\0Mthe database system is starting up\0\0';
  const length = Buffer.alloc(4);
  length.writeInt32BE(4 + fields.length);
  return Buffer.concat([Buffer.from('E'), length, Buffer.from(fields)]);
})();

/** Stands before the database, and treats each connection by its number, counted from 0. */
class Gate {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  treat: (connection: number) => 'pass' | 'starting' | 'cut' = () => 'pass';
  #count = 0;

  constructor(target: URL) {
    this.#server = createServer((socket) => {
      this.#sockets.add(socket);
      socket.on('error', () => undefined);
      const treatment = this.treat(this.#count++);
      if (treatment === 'cut') return socket.destroy();
      if (treatment === 'starting') return void socket.once('data', () => socket.end(STARTING));
      const database = connect(Number(target.port), target.hostname);
      this.#sockets.add(database);
      database.on('error', () => undefined);
      socket.pipe(database).pipe(socket);
    });
  }

  async open(): Promise<number> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return (this.#server.address() as AddressInfo).port;
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }
}

describe('a database that is away', () => {
  let directory: string;
  let database: TestDatabase;
  let gate: Gate;
  let url: string;
  let env: Record<string, string>;
  let running: RunningCommand | undefined;

  beforeAll(async () => {
    directory = mkdtempSync(path.join(tmpdir(), 'smista-away-'));
    database = await cloneDatabase();
    const target = new URL(database.url);
    gate = new Gate(new URL(target));
    target.port = String(await gate.open());
    url = target.href;
    const SECRET_KEY = Buffer.alloc(32, 1).toString('base64');
    env = { DATABASE_URL: url, DATA_DIR: directory, SECRET_KEY, PORT: '0', SANDBOX_PORT: '0' };
  });
  afterEach(async () => {
    await running?.end();
    running = undefined;
  });
  afterAll(async () => {
    gate.close();
    await database.drop();
    rmSync(directory, { recursive: true, force: true });
  });

  it('is waited for on start while it restarts, with one line in the log', async () => {
    const firstAnswers = ['starting', 'cut', 'starting'] as const;
    gate.treat = (connection) => firstAnswers[connection] ?? 'pass';

    running = startSmista(['start', '--role', 'worker'], { ...env, LOG_LEVEL: 'info' });
    await running.says(/"msg":"ready"/);

    const waits = running.output().match(/waiting for the database/g);
    expect(waits).toHaveLength(1);
    expect(running.output()).toContain('"reason":"the database system is starting up"');
  });

  it('is given up after its time, in one sentence', async () => {
    gate.treat = () => 'starting';
    const reasons: string[] = [];

    const check = checkDatabase(url, { waitMs: 1100, onWait: (reason) => reasons.push(reason) });

    await expect(check).rejects.toThrow(/cannot be used: the database system is starting up \(asked for 1 seconds\)$/);
    expect(reasons).toHaveLength(1);
  });

  it('is not waited for when waiting cannot help', async () => {
    gate.treat = () => 'pass';
    const missing = url.replace(/\/test_\w+$/, '/nowhere');

    const check = checkDatabase(missing, { waitMs: 60_000 });

    await expect(check).rejects.toThrow('database "nowhere" does not exist');
  });

  it.each(['starting', 'cut'] as const)('makes the doctor say one sentence (%s)', async (treatment) => {
    gate.treat = () => treatment;

    const { code, stderr } = await smista(['doctor'], env);

    expect(stderr).toMatch(/^The database at 127\.0\.0\.1:\d+ cannot be used: .+\n$/);
    expect(code).toBe(2);
  });

  it.each([1, 2, 3])('makes the doctor say one sentence when it leaves after %i connections', async (count) => {
    let seen = 0;
    gate.treat = () => (seen++ < count ? 'pass' : 'cut');

    const { code, stdout, stderr } = await smista(['doctor'], env);

    expect(stderr).not.toMatch(/^\s+at /m);
    expect(`${stdout}${stderr}`).toMatch(
      /^(The database at \S+ cannot be used: .+|Lost the connection to the database: .+|FAIL \S.*: .+)$/m,
    );
    expect(code).toBeLessThan(3);
  });
});
