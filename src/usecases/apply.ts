import type { z } from 'zod';
import {
  CarrierRow,
  Company,
  Connection,
  Contract,
  MarketplaceRow,
  Product,
  type ServiceTariff,
  Tariff,
  Warehouse,
} from '../db/entities/index.ts';
import { type Em, systemEm } from '../db/orm.ts';
import { secretFields } from '../lib/call-partner.ts';
import { isSame } from '../lib/canonical.ts';
import { IntegrationError, UsageError } from '../lib/errors.ts';
import { type ApplyDocument, DEFAULT_SETTINGS, type DeclaredCompany } from './apply-document.ts';
import { connectionSeal } from './call-connection.ts';
import { contractSeal } from './call-contract.ts';
import type { Deps } from './deps.ts';
import { saveEdition } from './price-lists.ts';

export interface Change {
  what: string;
  change: 'created' | 'changed' | 'unchanged';
  /** Names of the fields that changed. */
  fields: string[];
}

type ApplyDeps = Pick<Deps, 'orm' | 'vault' | 'carriers' | 'marketplaces'>;
type Row = Record<string, unknown>;

/** Makes the database say what the document says: all of it or nothing. Repeating it changes nothing. */
export async function apply(deps: ApplyDeps, document: ApplyDocument): Promise<Change[]> {
  return systemEm(deps.orm).transactional(async (tx) => {
    const changes: Change[] = [];
    for (const declared of document.companies) changes.push(...(await applyCompany(deps, tx, declared)));
    return changes;
  });
}

function settingsOf(settings: typeof DEFAULT_SETTINGS) {
  return {
    pricesIncludeVat: settings.prices_include_vat,
    vatRate: settings.vat_rate,
    vatRates: settings.vat_rates,
    currency: settings.currency,
    timeZone: settings.time_zone,
    defaultParcel: settings.default_parcel,
  };
}

async function applyCompany(deps: ApplyDeps, tx: Em, declared: DeclaredCompany): Promise<Change[]> {
  const label = `company ${declared.key}`;
  const isKnown = (await tx.count(Company, { key: declared.key })) > 0;
  const fields = {
    name: declared.name,
    address: declared.address,
    postalCode: declared.postal_code,
    city: declared.city,
    province: declared.province,
    country: declared.country,
    vatNumber: declared.vat_number,
    phone: declared.phone,
    email: declared.email,
    settings: declared.settings && settingsOf(declared.settings),
  };
  const fresh = { settings: settingsOf(DEFAULT_SETTINGS) };
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  const company = await upsert(tx, Company, { key: declared.key }, label, isKnown ? given : { ...fresh, ...given });
  const companyId = company.id;
  const changes = [company.change];
  for (const warehouse of declared.warehouses) {
    const { key, country_code, default: isDefault, ...place } = warehouse;
    const fields = { ...place, countryCode: country_code, isDefault };
    changes.push((await upsert(tx, Warehouse, { companyId, key }, `${label} warehouse ${key}`, fields)).change);
  }
  for (const product of declared.products) {
    const fields = {
      title: product.title,
      weightGrams: product.weight_kg ?? 0,
      lengthMm: product.length_cm,
      widthMm: product.width_cm,
      heightMm: product.height_cm,
      commodityCode: product.commodity_code,
      originCountry: product.origin_country,
      ...(product.id ? { id: product.id } : {}),
    };
    const what = `${label} product ${product.sku}`;
    changes.push((await upsert(tx, Product, { companyId, sku: product.sku }, what, fields)).change);
  }
  for (const tariff of declared.tariffs) {
    const what = `${label} tariff ${tariff.key}${tariff.from && ` from ${tariff.from}`}`;
    const change = await saveEdition(tx, { companyId, ...tariff });
    changes.push({ what, change, fields: change === 'changed' ? ['priceList'] : [] });
  }
  for (const contract of declared.contracts)
    changes.push(await applyContract(deps, tx, { companyId, label, contract }));
  for (const connection of declared.connections) {
    changes.push(await applyConnection(deps, tx, { companyId, label, connection }));
  }
  return changes;
}

async function applyContract(
  deps: ApplyDeps,
  tx: Em,
  input: { companyId: number; label: string; contract: DeclaredCompany['contracts'][number] },
): Promise<Change> {
  const { companyId, contract } = input;
  const what = `${input.label} contract ${contract.key}`;
  const carrier = deps.carriers.get(contract.carrier);
  if (!carrier)
    throw new UsageError(
      `${what}: there is no carrier ${contract.carrier}; known are ${[...deps.carriers.keys()].join(', ')}`,
    );
  const account = checkAccount(what, carrier.account, contract.account);
  const row = await tx.findOneOrFail(CarrierRow, { code: contract.carrier });
  const tariffOf = async (key: string): Promise<number> => {
    const tariff = await tx.findOne(Tariff, { companyId, key });
    if (!tariff) throw new UsageError(`${what}: there is no tariff ${key}`);
    return tariff.id;
  };
  const serviceTariffs: ServiceTariff[] = [];
  for (const { code, tariff } of contract.services) {
    serviceTariffs.push({ service: code, tariffId: await tariffOf(tariff) });
  }
  const result = await upsertSealed(
    deps,
    tx,
    Contract,
    { companyId, key: contract.key },
    {
      what,
      account,
      seal: contractSeal,
      fields: {
        label: contract.label,
        carrierId: row.id,
        configFields: masked(carrier.account, account),
        tariffId: contract.tariff ? await tariffOf(contract.tariff) : null,
        serviceTariffs,
        coefficient: contract.coefficient,
        maxWeightGrams: contract.max_weight_kg ?? null,
        supportCod: contract.support_cod,
        supportInsurance: contract.support_insurance,
        defaultCodPaymentType: contract.default_cod_payment_type,
        labelFormat: contract.label_format,
        isConnected: contract.connected,
        deleteFlag: false,
      },
      onCreate: { billingImportConfig: {} },
    },
  );
  if (contract.default) await tx.nativeUpdate(Company, { id: companyId }, { defaultContractId: result.id });
  return result.change;
}

async function applyConnection(
  deps: ApplyDeps,
  tx: Em,
  input: { companyId: number; label: string; connection: DeclaredCompany['connections'][number] },
): Promise<Change> {
  const { companyId, connection } = input;
  const what = `${input.label} connection ${connection.key}`;
  const marketplace = deps.marketplaces.get(connection.marketplace);
  if (!marketplace) {
    throw new UsageError(
      `${what}: there is no marketplace ${connection.marketplace}; known are ${[...deps.marketplaces.keys()].join(', ')}`,
    );
  }
  const account = checkAccount(what, marketplace.account, connection.account);
  const row = await tx.findOneOrFail(MarketplaceRow, { code: connection.marketplace });
  const result = await upsertSealed(
    deps,
    tx,
    Connection,
    { companyId, key: connection.key },
    {
      what,
      account,
      seal: connectionSeal,
      fields: {
        label: connection.label,
        marketplaceId: row.id,
        configFields: masked(marketplace.account, account),
        percentageFee: connection.percentage_fee,
        importEnabled: connection.import_orders,
        confirmWhenTransmitted: connection.confirm_when_transmitted,
        isConnected: connection.connected,
        deleteFlag: false,
      },
      onCreate: {},
    },
  );
  return result.change;
}

function checkAccount(what: string, schema: z.ZodType<unknown>, given: unknown): Row {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data as Row;
  const faults = parsed.error.issues.map((issue) => `account.${issue.path.join('.')}: ${issue.message}`);
  throw new UsageError(`${what}: ${faults.join('; ')}`);
}

function masked(schema: z.ZodType<unknown>, account: Row): Row {
  const secrets = new Set(secretFields(schema));
  return Object.fromEntries(
    Object.entries(account).map(([name, value]) => [name, secrets.has(name) ? '********' : value]),
  );
}

type EntityClass = { new (): { id: number | string } };

/** Creates or changes one row and tells what changed. */
async function upsert(
  tx: Em,
  entity: unknown,
  where: Row,
  what: string,
  fields: Row,
): Promise<{ id: number; change: Change; row: Row }> {
  const target = entity as EntityClass;
  const known = (await tx.findOne(target, where as never)) as Row | null;
  if (!known) {
    const row = tx.create(target, {
      ...where,
      ...fields,
      createdAt: new Date(),
      updatedAt: new Date(),
    } as never) as Row;
    await tx.persist(row).flush();
    return { id: row.id as number, row, change: { what, change: 'created', fields: [] } };
  }
  const changed = Object.entries(fields)
    .filter(([name, value]) => !isSame(known[name], value))
    .map(([name]) => name);
  if (changed.length > 0) {
    tx.assign(known, { ...fields, updatedAt: new Date() } as never);
    await tx.flush();
  }
  const change = { what, change: changed.length > 0 ? ('changed' as const) : ('unchanged' as const), fields: changed };
  return { id: known.id as number, row: known, change };
}

/** As `upsert`, for rows with sealed credentials; the seal differs each time, so what it holds is compared. */
async function upsertSealed(
  deps: ApplyDeps,
  tx: Em,
  entity: unknown,
  where: Row,
  input: { what: string; account: Row; seal: (id: number) => string; fields: Row; onCreate: Row },
): Promise<{ id: number; change: Change }> {
  const known = await tx.findOne(entity as EntityClass, where as never);
  const fields = known ? input.fields : { ...input.fields, ...input.onCreate, credentials: '' };
  const { id, row, change } = await upsert(tx, entity, where, input.what, fields);
  const stored = readSealed(deps, row.credentials as string, input.seal(id));
  if (!isSame(stored, input.account)) {
    row.credentials = deps.vault.seal(input.account, input.seal(id));
    await tx.flush();
    if (change.change !== 'created')
      return { id, change: { ...change, change: 'changed', fields: [...change.fields, 'account'] } };
  }
  return { id, change };
}

/** Null for what is new, and for what was sealed with a key that is lost: both are written anew. */
function readSealed(deps: ApplyDeps, sealed: string, context: string): unknown {
  if (sealed === '') return null;
  try {
    return deps.vault.open(sealed, context);
  } catch (error) {
    if (error instanceof IntegrationError) return null;
    throw error;
  }
}
