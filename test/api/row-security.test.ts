import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemEm } from '../../src/db/orm.ts';
import { shows } from '../../src/db/pool.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import { ATTEMPTS } from './foreign-ids.ts';
import { addOtherCompany, companyTables, everythingOf, NOBODYS, type TwoCompanies } from './two-companies.ts';

const CONDITION =
  /((?:"?\w+"?\.)?"?company_id"?) (=|in) (\$\d+|\d+|\(\$\d+\)|any\(\$\d+(?:::int\[\])?\)|(?:"?\w+"?\.)"?company_id"?|\(one->>'companyId'\)::int)/g;

/** Makes each condition about a company true, in the statements of requests and jobs while it is on. */
class LostConditions {
  readonly statements = new Set<string>();
  isOn = false;

  /** Changes the statements of the client of the driver that the ORM uses. */
  install(prototype: pg.Client): void {
    const asWritten = prototype.query as (...given: unknown[]) => unknown;
    const change = (client: pg.Client, given: unknown[]): unknown[] => this.#change(client, given);
    prototype.query = function query(this: pg.Client, ...given: unknown[]) {
      return asWritten.apply(this, change(this, given));
    } as typeof prototype.query;
  }

  #change(client: pg.Client, given: unknown[]): unknown[] {
    const [first, ...others] = given as [string | pg.QueryConfig, ...unknown[]];
    if (!this.isOn || shows(client, null)) return given;
    const text = typeof first === 'string' ? first : first.text;
    const changed = text.replaceAll(CONDITION, '($& or true)');
    if (changed === text) return given;
    this.statements.add(text);
    if (typeof first === 'string') return [changed, ...others];
    const name = first.name && `${first.name} without`;
    return [Object.assign(first, { text: changed, name }), ...others];
  }
}

const conditions = new LostConditions();
let test: TestApp;
let rows: TwoCompanies;

/** Returns the attempts that reach or change a row of the other company. */
async function reached(attempts = ATTEMPTS): Promise<string[]> {
  const found: string[] = [];
  let before = await everythingOf(test, rows.other.companyId);
  for (const attempt of attempts) {
    const ask = (id: number) => test.call(attempt.method, attempt.path(id, rows.own), attempt.body?.(id, rows.own));
    const id = rows.targets[attempt.target];
    const theirs = await ask(id);
    const nobodys = await ask(NOBODYS);
    const after = await everythingOf(test, rows.other.companyId);
    const isSame = theirs.status === attempt.status && textOf(theirs.body, id) === textOf(nobodys.body, NOBODYS);
    if (!isSame || JSON.stringify(after) !== JSON.stringify(before)) found.push(`${attempt.name}: ${theirs.status}`);
    before = after;
  }
  return found;
}

function textOf(body: object, id: number | string): string {
  return JSON.stringify({ ...body, requestId: '' }).replaceAll(String(id), 'ID');
}

beforeAll(async () => {
  test = await startTestApp();
  const pool = (await test.app.deps.orm.em.getConnection().getNativeClient()) as unknown as {
    Client: typeof pg.Client;
  };
  conditions.install(pool.Client.prototype);
  rows = await addOtherCompany(test);
});
afterAll(() => test.stop());

describe('row-level security', () => {
  it('covers every table of companies', async () => {
    const secured = await systemEm(test.app.deps.orm).execute<{ name: string }[]>(
      `select relname as name from pg_class c join pg_policy p on p.polrelid = c.oid
        where c.relrowsecurity and p.polname = 'companies' and not p.polpermissive order by 1`,
    );
    const tables = await companyTables(test);
    expect(secured.map(({ name }) => name)).toEqual([...tables, 'companies', 'sessions'].toSorted());
  });

  it('gives nothing away and lets nothing be written when no statement asks for the company', async () => {
    conditions.isOn = true;
    expect(await reached()).toEqual([]);
    expect(conditions.statements.size).toBeGreaterThan(80);
  });

  it('is the reason of that: without it the same statements reach the other company', async () => {
    for (const name of await companyTables(test))
      await systemEm(test.app.deps.orm).execute(`alter table "${name}" disable row level security`);
    conditions.isOn = true;
    expect((await reached(ATTEMPTS.filter(({ method }) => method !== 'POST'))).length).toBeGreaterThan(10);
  });
});
