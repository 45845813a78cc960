import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cloneDatabase, type TestDatabase } from '../support/test-database.ts';
import { smista } from './run-command.ts';

/** Prints the packages that a process loaded, as the last line of its standard error. */
const PRINT_PACKAGES = `
  import { registerHooks } from 'node:module';
  const packages = new Set();
  registerHooks({
    load(url, context, next) {
      const [, name] = /node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(url) ?? [];
      if (name) packages.add(name);
      return next(url, context);
    },
  });
  process.on('exit', () => console.error('\\n' + JSON.stringify([...packages].sort())));
`;

const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(PRINT_PACKAGES)}`;

/** The command line itself: its arguments, its settings, its suggestions, and amounts in its tables. */
const ALWAYS = ['big.js', 'commander', 'fastest-levenshtein', 'zod'];

describe('the packages that a command loads', () => {
  let database: TestDatabase;
  let env: Record<string, string>;

  beforeAll(async () => {
    database = await cloneDatabase();
    env = { DATABASE_URL: database.url, SECRET_KEY: Buffer.alloc(32, 1).toString('base64'), NODE_OPTIONS };
  });
  afterAll(() => database.drop());

  async function packagesOf(...args: string[]): Promise<{ code: number; packages: string[] }> {
    const { code, stderr } = await smista(args, env);
    return { code, packages: JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '') };
  }

  it.each([
    { args: ['--help'], code: 0 },
    { args: ['tariffs', 'import', '--help'], code: 0 },
    { args: ['tariffs', 'import'], code: 2 },
    { args: ['fly'], code: 2 },
  ])('contain no database, queue or file format for $args', async ({ args, code }) => {
    expect(await packagesOf(...args)).toEqual({ code, packages: ALWAYS });
  });

  it.each([
    [['find', 'x']],
    [['tariffs', 'list']],
    [['key', 'list']],
    [['exchanges', 'list']],
    [['tracking', 'status']],
  ])('contain the database but neither queue nor adapters for %j', async (args) => {
    const { code, packages } = await packagesOf(...args);

    expect(code).toBe(0);
    expect(packages).toContain('@mikro-orm/core');
    for (const name of [
      'bullmq',
      'fast-xml-parser',
      'ioredis',
      'read-excel-file',
      'undici',
      'write-excel-file',
      'yaml',
    ])
      expect(packages).not.toContain(name);
  });
});
