import { z } from 'zod';
import type { Em } from '../../db/orm.ts';
import { systemEm } from '../../db/orm.ts';
import type { Deps } from '../../engine/deps.ts';
import { secretFields } from '../../lib/call-partner.ts';

/** Writes the adapters of this release into the catalogue tables. Idempotent, also with concurrent processes. */
export async function syncCatalogue(deps: Pick<Deps, 'orm' | 'carriers' | 'marketplaces'>): Promise<void> {
  await systemEm(deps.orm).transactional(async (tx) => {
    await tx.execute('select pg_advisory_xact_lock(?, 0)', [0x736d6973]);
    let order = 0;
    for (const carrier of deps.carriers.values()) {
      order += 1;
      const rows = await tx.execute<{ id: number }[]>(
        `insert into carriers (code, name, logo_url, marketplace_carrier_code, sort_order) values (?, ?, ?, ?, ?)
         on conflict (code) do update set name = excluded.name, logo_url = excluded.logo_url,
           sort_order = excluded.sort_order,
           updated_at = case when (carriers.name, carriers.logo_url, carriers.sort_order)
             is distinct from (excluded.name, excluded.logo_url, excluded.sort_order) then now() else carriers.updated_at end
         returning id`,
        [carrier.id, carrier.label, carrier.logoUrl, carrier.id, order],
      );
      await syncServices(tx, rows[0]?.id ?? 0, carrier.services);
    }
    order = 0;
    for (const marketplace of deps.marketplaces.values()) {
      order += 1;
      await tx.execute(
        `insert into marketplaces (code, name, logo_url, fields, sort_order, allow_order_update_after_import)
         values (?, ?, ?, ?::jsonb, ?, ?)
         on conflict (code) do update set name = excluded.name, logo_url = excluded.logo_url, fields = excluded.fields,
           sort_order = excluded.sort_order, allow_order_update_after_import = excluded.allow_order_update_after_import`,
        [
          marketplace.id,
          marketplace.label,
          marketplace.logoUrl,
          JSON.stringify(formFields(marketplace.account)),
          order,
          marketplace.allowOrderUpdateAfterImport,
        ],
      );
    }
  });
}

async function syncServices(
  tx: Em,
  carrierId: number,
  services: readonly { code: string; name: string }[],
): Promise<void> {
  const rows = services.map((service, index) => ({ ...service, sort_order: index + 1 }));
  await tx.execute(
    `insert into carrier_services (carrier_id, code, name, sort_order)
     select ?, code, name, sort_order from jsonb_to_recordset(?::jsonb) as row (code text, name text, sort_order int)
     on conflict (carrier_id, code) do update set name = excluded.name, sort_order = excluded.sort_order`,
    [carrierId, JSON.stringify(rows)],
  );
}

/** Describes the fields of an account for a form. */
function formFields(schema: z.ZodType<unknown>): Record<string, { required: boolean; secret: boolean }> {
  if (!(schema instanceof z.ZodObject)) return {};
  const secrets = new Set(secretFields(schema));
  return Object.fromEntries(
    Object.entries(schema.shape).map(([name, field]) => [
      name,
      { required: !(field as z.ZodType).safeParse(undefined).success, secret: secrets.has(name) },
    ]),
  );
}
