/** Writes the difference between the entities and the migrations as a new migration: `npm run migration:create -- NAME`. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openOrm } from '../src/db/orm.ts';
import { startEmbeddedPostgres } from '../src/embedded/postgres.ts';

const name = process.argv[2];
if (!name || !/^[a-z0-9-]+$/.test(name)) {
  console.error('usage: npm run migration:create -- NAME   (lowercase letters, digits, hyphens)');
  process.exit(2);
}
const directory = mkdtempSync(path.join(tmpdir(), 'smista-migration-'));
const postgres = await startEmbeddedPostgres({ directory: path.join(directory, 'pg'), password: 'x', durable: false });
const orm = await openOrm({ databaseUrl: postgres.url, poolSize: 2 });
try {
  await orm.migrator.up();
  const sql = await orm.schema.getUpdateSchemaSQL({ wrap: false });
  if (sql.trim() === '') {
    console.log('The migrations describe the entities: nothing to do.');
  } else {
    const id = `${new Date().toISOString().slice(0, 10).replaceAll('-', '')}-${name}`;
    const statements = sql
      .split(';\n')
      .map((line) => line.trim())
      .filter(Boolean);
    writeFileSync(
      `src/db/migrations/${id}.ts`,
      `import { Migration } from '@mikro-orm/migrations';\n\nexport class Next extends Migration {\n  override up(): void {\n${statements
        .map((statement) => `    this.addSql(\`${statement.replaceAll('`', '\\`')};\`);`)
        .join('\n')}\n  }\n}\n`,
    );
    console.log(`src/db/migrations/${id}.ts: read it, name its class, and list it in index.ts.`);
  }
} finally {
  await orm.close(true);
  await postgres.stop();
  rmSync(directory, { recursive: true, force: true });
}
