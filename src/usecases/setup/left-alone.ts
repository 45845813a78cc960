import {
  Company,
  Connection,
  Contract,
  EventEndpoint,
  Printer,
  Product,
  Tariff,
  Warehouse,
} from '../../db/entities/index.ts';
import { companyEm, systemEm } from '../../db/orm.ts';
import type { Deps } from '../../engine/deps.ts';
import type { ApplyDocument, DeclaredCompany } from './apply-document.ts';

/** Maximum names per line, because a shop may have thousands of products. */
const MAX_NAMES = 20;

/**
 * Lists rows that a declaration does not name, with one line per company and kind.
 * @param companyId null: of every company
 */
export async function leftAlone(
  deps: Pick<Deps, 'orm'>,
  document: ApplyDocument,
  companyId: number | null = null,
): Promise<string[]> {
  const lines: string[] = [];
  const where = companyId === null ? {} : { id: companyId };
  for (const company of await systemEm(deps.orm).find(Company, where, { orderBy: { key: 'asc' } })) {
    const declared = document.companies.find(({ key }) => key === company.key);
    if (declared) lines.push(...(await othersOf(deps, company, declared)));
    else lines.push(`company ${company.key}`);
  }
  return lines;
}

/** Lists rows of a company that its declaration does not name, with one line per kind. */
export async function othersOf(
  { orm }: Pick<Deps, 'orm'>,
  company: Company,
  declared: DeclaredCompany,
): Promise<string[]> {
  const em = companyEm(orm, company.id);
  const byKey = { fields: ['key' as const], orderBy: { key: 'asc' as const } };
  const [warehouses, products, tariffs, contracts, connections, webhooks, printers] = [
    await em.find(Warehouse, {}, byKey),
    await em.find(Product, {}, { fields: ['sku'], orderBy: { sku: 'asc' } }),
    await em.find(Tariff, {}, byKey),
    await em.find(Contract, { deleteFlag: false }, byKey),
    await em.find(Connection, { deleteFlag: false }, byKey),
    await em.find(EventEndpoint, {}, byKey),
    await em.find(Printer, {}, byKey),
  ];
  const kinds: [string, string[], string[]][] = [
    ['warehouse', keysOf(warehouses), keysOf(declared.warehouses)],
    ['product', products.map(({ sku }) => sku), declared.products.map(({ sku }) => sku)],
    ['tariff', keysOf(tariffs), keysOf(declared.tariffs)],
    ['contract', keysOf(contracts), keysOf(declared.contracts)],
    ['connection', keysOf(connections), keysOf(declared.connections)],
    ['webhook', keysOf(webhooks), keysOf(declared.webhooks)],
    ['printer', keysOf(printers), keysOf(declared.printers)],
  ];
  return kinds.flatMap(([kind, known, named]) => {
    const others = known.filter((key) => !named.includes(key));
    if (others.length === 0) return [];
    const more = others.length > MAX_NAMES ? ` and ${others.length - MAX_NAMES} more` : '';
    return [`company ${company.key} ${kind} ${others.slice(0, MAX_NAMES).join(', ')}${more}`];
  });
}

function keysOf(rows: readonly { key: string }[]): string[] {
  return rows.map(({ key }) => key);
}
