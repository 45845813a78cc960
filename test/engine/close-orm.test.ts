import { expect, it } from 'vitest';
import { closeOrm, openOrm, systemEm } from '../../src/db/orm.ts';
import { cloneDatabase } from '../support/test-database.ts';

it('closes while connections are still being opened', async () => {
  const database = await cloneDatabase();
  const orm = await openOrm({ databaseUrl: database.url, poolSize: 5 });
  await systemEm(orm).execute('select 1');
  const asking = Promise.allSettled(Array.from({ length: 8 }, () => systemEm(orm).execute('select pg_sleep(0.05)')));
  await Promise.resolve();

  await closeOrm(orm);

  const said = (await asking).map((answer) => (answer.status === 'fulfilled' ? 'answered' : answer.reason.message));
  expect([...new Set(said)]).toEqual(['answered']);
  await database.drop();
});
