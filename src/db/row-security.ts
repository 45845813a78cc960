import type pg from 'pg';

/** The role of statements that serve companies: its row-level security shows the companies of `smista.companies` only. */
export const COMPANY_ROLE = 'smista_companies';

const VISIBLE = `any ((select current_setting('smista.companies'))::int[])`;
/** The condition that shows the rows of tables without the column `company_id`. */
const OTHER_TABLES: Readonly<Record<string, string>> = {
  companies: `id = ${VISIBLE}`,
  sessions: 'user_id in (select id from users)',
};
/** Tables that no request and no job of a company needs. */
const OWN_TABLES = ['smista_migrations', 'installation', 'audit_keys', 'audit_links'];

const NOT_ALLOWED = '42501';

/**
 * Turns row-level security on for the tables of companies that have none. Returns false when the user of the database may
 * not create or take the role. Then the conditions of the statements are the only wall.
 */
export async function secureRows(client: pg.ClientBase): Promise<boolean> {
  try {
    await createRole(client);
  } catch (cause) {
    if ((cause as { code?: string }).code === NOT_ALLOWED) return false;
    throw cause;
  }
  await client.query(`
    grant usage on schema public to ${COMPANY_ROLE};
    grant select, insert, update, delete on all tables in schema public to ${COMPANY_ROLE};
    grant usage on all sequences in schema public to ${COMPANY_ROLE};
    revoke all on ${OWN_TABLES.join(', ')} from ${COMPANY_ROLE};
  `);
  for (const { name, condition } of await unsecuredTables(client)) {
    // Other users of the database who may read the table, as a report does, go on seeing all of it.
    await client.query(`
      drop policy if exists everyone on "${name}";
      create policy everyone on "${name}" using (true) with check (true);
      create policy companies on "${name}" as restrictive to ${COMPANY_ROLE} using (${condition}) with check (${condition});
      alter table "${name}" enable row level security;
    `);
  }
  return true;
}

/** The role belongs to the whole server, so another database may have created it, or creates it right now. */
async function createRole(client: pg.ClientBase): Promise<void> {
  await client.query(`
    do $$ begin
      if not exists (select from pg_roles where rolname = '${COMPANY_ROLE}') then create role ${COMPANY_ROLE} nologin; end if;
    exception when duplicate_object or unique_violation then null;
    end $$;
    do $$ begin
      set local role ${COMPANY_ROLE};
      set local role none;
    exception when insufficient_privilege then grant ${COMPANY_ROLE} to current_user;
    end $$;
  `);
}

async function unsecuredTables(client: pg.ClientBase): Promise<{ name: string; condition: string }[]> {
  const { rows } = await client.query<{ name: string; hasCompany: boolean }>(`
    select c.relname as name,
           exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'company_id') as "hasCompany"
      from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
       and not exists (select from pg_policy p where p.polrelid = c.oid and p.polname = 'companies')
     order by 1`);
  return rows.flatMap(({ name, hasCompany }) => {
    const condition = hasCompany ? `company_id = ${VISIBLE}` : OTHER_TABLES[name];
    return condition ? [{ name, condition }] : [];
  });
}

const IS_SECURED = `
  select exists (
    select from pg_roles r join pg_policy p on p.polrelid = 'orders'::regclass and p.polname = 'companies'
     where r.rolname = '${COMPANY_ROLE}' and has_table_privilege(r.oid, 'orders', 'select')
       and pg_has_role(session_user, r.oid,
             case when current_setting('server_version_num')::int >= 160000 then 'set' else 'member' end)
  ) as "isSecured"`;

/** Returns true when the user of this connection may take the role, and the tables know it. */
export async function hasRowSecurity(client: {
  query(text: string): Promise<{ rows: { isSecured: boolean }[] }>;
}): Promise<boolean> {
  const { rows } = await client.query(IS_SECURED);
  return rows[0]?.isSecured ?? false;
}
