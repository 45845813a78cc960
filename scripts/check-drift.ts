/** Fails when a generated file, or the migrations, no longer say what the code says: `npm run check:docs`. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openOrm } from '../src/db/orm.ts';
import { startEmbeddedPostgres } from '../src/embedded/postgres.ts';
import { GENERATED_DOCS } from './generated-docs.ts';

const faults = [...driftedDocs(), ...(await driftedSchema())];
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;
else console.log('The documents and the migrations say what the code says.');

function driftedDocs(): string[] {
  return Object.entries(GENERATED_DOCS).flatMap(([file, content]) =>
    readIfThere(file) === content() ? [] : [`${file} is not what the code says: run npm run docs`],
  );
}

function readIfThere(file: string): string | null {
  try {
    return readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Migrates an empty database and asks what the entities still miss in it. */
async function driftedSchema(): Promise<string[]> {
  const directory = mkdtempSync(path.join(tmpdir(), 'smista-drift-'));
  await using stack = new AsyncDisposableStack();
  stack.defer(() => rmSync(directory, { recursive: true, force: true }));
  const postgres = await startEmbeddedPostgres({
    directory: path.join(directory, 'pg'),
    password: 'drift',
    durable: false,
  });
  stack.defer(() => postgres.stop());
  const orm = await openOrm({ databaseUrl: postgres.url, poolSize: 2 });
  stack.defer(() => orm.close(true));
  await orm.migrator.up();
  const sql = (await orm.schema.getUpdateSchemaSQL({ wrap: false })).trim();
  if (sql === '') return [];
  return [`src/db/migrations does not describe the entities: run npm run migration:create -- NAME\n${sql}`];
}
