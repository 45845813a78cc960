import { createSecretKey, randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { closeOrm, type Orm, openOrm } from '../../../src/db/orm.ts';
import { insertAudit } from '../../../src/db/queries/insert-audit.ts';
import type { AuditEntry } from '../../../src/domain/audit.ts';
import { type Keys, openVault } from '../../../src/engine/vault.ts';
import { sealAudit } from '../../../src/usecases/audit/seal-audit.ts';
import { verifyAudit } from '../../../src/usecases/audit/verify-audit.ts';
import { resealAll } from '../../../src/usecases/setup/reseal.ts';
import { cloneDatabase, type TestDatabase } from '../../support/test-database.ts';

const newKey = () => createSecretKey(randomBytes(32));

let database: TestDatabase;
let orm: Orm;
let keys: Keys;
let deps: { orm: Orm; vault: Awaited<ReturnType<typeof openVault>> };
/** A superuser who may turn triggers off. */
let intruder: pg.Client;

function entry(overrides: Partial<AuditEntry> = {}): AuditEntry {
  return {
    companyId: null,
    companyKey: null,
    at: new Date('2026-11-23T08:00:00.123Z'),
    actor: 'key:1',
    channel: 'api',
    address: '203.0.113.9',
    operation: 'postOrders',
    targets: ['order:1'],
    status: 201,
    code: null,
    requestId: 'r-1',
    isReplay: false,
    ...overrides,
  };
}

async function write(count: number): Promise<void> {
  for (let at = 0; at < count; at++) await insertAudit(orm, entry({ targets: [`order:${at + 1}`] }));
}

/** Changes rows past the triggers. */
async function tamper(...statements: string[]): Promise<void> {
  await intruder.query('set session_replication_role = replica');
  for (const sql of statements) await intruder.query(sql);
  await intruder.query('set session_replication_role = origin');
}

beforeEach(async () => {
  database = await cloneDatabase();
  orm = await openOrm({ databaseUrl: database.url, poolSize: 6 });
  keys = [newKey()];
  deps = { orm, vault: await openVault(orm, keys) };
  intruder = new pg.Client({ connectionString: database.url });
  await intruder.connect();
});
afterEach(async () => {
  await intruder.end();
  await closeOrm(orm);
  await database.drop();
});

describe('the tables of the audit log', () => {
  it.each([
    'update audit_log set actor = actor',
    'delete from audit_log',
    'truncate audit_log',
    'update audit_links set hash = hash',
    'delete from audit_links',
    'truncate audit_links',
    'delete from audit_keys',
    'truncate audit_keys',
  ])('refuse %s', async (sql) => {
    await write(1);
    await sealAudit(deps);

    await expect(intruder.query(sql)).rejects.toThrow(/the audit log is append-only/);
    expect(await verifyAudit(deps)).toMatchObject({ sealed: 1, broken: null });
  });
});

describe('the chain of the audit log', () => {
  it('seals each row once, in the order of its id, also across batches', async () => {
    const empty = await verifyAudit(deps);
    await intruder.query(
      `with rows as (insert into audit_log (at, actor, channel, operation)
         select now(), 'cli', 'cli', 'migrate' from generate_series(1, 2100) returning id)
       insert into audit_waiting select id from rows`,
    );
    const before = await verifyAudit(deps);

    const sealed = await sealAudit(deps);
    const again = await sealAudit(deps);

    expect(empty).toEqual({ sealed: 0, waiting: 0, head: null, broken: null });
    expect(before).toMatchObject({ sealed: 0, waiting: 2100, broken: null });
    expect([sealed, again]).toEqual([2100, 0]);
    expect(await verifyAudit(deps)).toMatchObject({ sealed: 2100, waiting: 0, head: { position: 2100 }, broken: null });
    const { rows } = await intruder.query('select 1 from audit_links where position <> audit_id');
    expect(rows).toEqual([]);
  });

  it('seals a row that commits after rows with a higher id', async () => {
    const late = new pg.Client({ connectionString: database.url });
    await late.connect();
    await late.query('begin');
    await late.query(
      `with row as (insert into audit_log (at, actor, channel, operation) values (now(), 'cli', 'cli', 'late') returning id)
       insert into audit_waiting select id from row`,
    );
    await write(2);

    const first = await sealAudit(deps);
    await late.query('commit');
    await late.end();
    const second = await sealAudit(deps);

    expect([first, second]).toEqual([2, 1]);
    expect(await verifyAudit(deps)).toMatchObject({ sealed: 3, waiting: 0, broken: null });
  });

  it('stays whole when several schedulers seal at once while rows come in', async () => {
    const running = Array.from({ length: 4 }, async () => {
      for (let round = 0; round < 10; round++) {
        await Promise.all([write(5), sealAudit(deps)]);
      }
    });
    await Promise.all(running);
    await sealAudit(deps);

    expect(await verifyAudit(deps)).toMatchObject({ sealed: 200, waiting: 0, broken: null });
  });

  it('is left to the scheduler that seals already', async () => {
    await write(1);
    await intruder.query('begin');
    await intruder.query(`select pg_advisory_xact_lock(hashtext('smista audit chain'))`);
    const meanwhile = await sealAudit(deps);
    await intruder.query('rollback');

    expect([meanwhile, await sealAudit(deps)]).toEqual([0, 1]);
  });

  it('loses nothing when sealing breaks off', async () => {
    await write(3);
    await intruder.query(
      `create function break_off() returns trigger language plpgsql as $$ begin raise exception 'broken off'; end $$;
       create trigger break_off before insert on audit_links for each row when (new.position = 3) execute function break_off()`,
    );
    await expect(sealAudit(deps)).rejects.toThrow('broken off');
    const between = await verifyAudit(deps);
    await intruder.query('drop trigger break_off on audit_links');

    await sealAudit(deps);

    expect(between).toMatchObject({ sealed: 0, waiting: 3, broken: null });
    expect(await verifyAudit(deps)).toMatchObject({ sealed: 3, waiting: 0, broken: null });
  });

  it.each([
    { what: `update audit_log set actor = 'key:2' where id = 3`, broken: 'row 3 or its link 3 was changed', sealed: 2 },
    {
      what: `update audit_log set at = at + interval '1 microsecond' where id = 3`,
      broken: 'row 3 or its link 3 was changed',
      sealed: 2,
    },
    {
      what: `update audit_log set targets = '{order:9}' where id = 1`,
      broken: 'row 1 or its link 1 was changed',
      sealed: 0,
    },
    {
      what: `update audit_log set is_replay = true where id = 5`,
      broken: 'row 5 or its link 5 was changed',
      sealed: 4,
    },
    { what: `delete from audit_log where id = 4`, broken: 'row 4 is missing: link 4 seals it', sealed: 3 },
    { what: `delete from audit_links where position = 2`, broken: 'link 2 is missing', sealed: 1 },
    {
      what: `update audit_links set hash = (select hash from audit_links where position = 1) where position = 2`,
      broken: 'row 2 or its link 2 was changed',
      sealed: 1,
    },
    {
      what: `update audit_links set audit_id = 9 - audit_id where position in (4, 5)`,
      broken: 'row 5 or its link 4 was changed',
      sealed: 3,
    },
    {
      what: `update audit_log set id = 99 where id = 5; delete from audit_links where position = 5`,
      broken: 'row 99 has no link',
      sealed: 4,
    },
    {
      what: `insert into audit_log (at, actor, channel, operation) values (now(), 'key:1', 'api', 'forged')`,
      broken: 'row 6 has no link',
      sealed: 5,
    },
    { what: `delete from audit_keys`, broken: 'key 1 is missing: link 1 was made with it', sealed: 0 },
  ])('names what $what broke', async ({ what, broken, sealed }) => {
    await write(5);
    await sealAudit(deps);
    expect(await verifyAudit(deps)).toMatchObject({ sealed: 5, broken: null });

    await intruder.query('alter table audit_links drop constraint audit_links_audit_id_unique');
    await tamper(what);

    expect(await verifyAudit(deps)).toMatchObject({ sealed, broken });
  });

  it('shows rows that were cut off at the end against a head that was noted before', async () => {
    await write(5);
    await sealAudit(deps);
    const { head } = await verifyAudit(deps);
    await tamper('delete from audit_log where id > 3', 'delete from audit_links where position > 3');
    const without = await verifyAudit(deps);
    const cut = await verifyAudit(deps, { known: head });
    await write(4);
    await sealAudit(deps);
    const regrown = await verifyAudit(deps, { known: head });

    expect(without.broken).toBeNull();
    expect(cut.broken).toBe('link 4 is missing');
    expect(regrown.broken).toBe('link 5 is not the one of the given head');
    expect((await verifyAudit(deps, { known: { position: 3, hash: without.head?.hash ?? '' } })).broken).toBeNull();
  });

  it('names a row that vanished before it was sealed', async () => {
    await write(2);
    await tamper('delete from audit_log where id = 1');

    await sealAudit(deps);

    expect(await verifyAudit(deps)).toMatchObject({ sealed: 1, broken: 'row 1 is missing: it was not sealed yet' });
  });

  it('is not begun again when its keys are gone', async () => {
    await write(1);
    await sealAudit(deps);
    await tamper('delete from audit_keys');
    await write(1);

    await expect(sealAudit(deps)).rejects.toThrow(/keys of the audit log are missing/);
  });

  it('verifies its old links after a change of SECRET_KEY, and makes new ones with a new key', async () => {
    await write(2);
    await sealAudit(deps);
    const next = newKey();
    const both = { orm, vault: await openVault(orm, [next, ...keys]) };
    await resealAll(both);
    const alone = { orm, vault: await openVault(orm, [next]) };
    await write(1);
    await sealAudit(alone);

    expect(await verifyAudit(alone)).toMatchObject({ sealed: 3, waiting: 0, broken: null });
    const { rows } = await intruder.query('select key_id from audit_links order by position');
    expect(rows.map(({ key_id }) => key_id)).toEqual([1, 1, 2]);
    expect(await resealAll(alone)).toBe(0);
    expect((await intruder.query('select 1 from audit_keys')).rowCount).toBe(2);
  });
});
