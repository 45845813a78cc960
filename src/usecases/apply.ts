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
import { UsageError } from '../lib/errors.ts';
import { type ApplyDocument, DEFAULT_SETTINGS, type DeclaredCompany } from './apply-document.ts';
import { applyEventEndpoint } from './apply-event-endpoint.ts';
import { connectionSeal } from './call-connection.ts';
import { contractSeal } from './call-contract.ts';
import type { Deps } from './deps.ts';
import { saveEdition } from './price-lists.ts';
import { type Change, type Row, upsert, upsertSealed } from './upsert-declared.ts';

type ApplyDeps = Pick<Deps, 'orm' | 'vault' | 'carriers' | 'marketplaces' | 'now' | 'settings'>;

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
    ...(settings.unique_order_numbers ? { uniqueOrderNumbers: true as const } : {}),
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
  for (const webhook of declared.webhooks) {
    changes.push(await applyEventEndpoint(deps, tx, { companyId, label, webhook }));
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
      sealed: { name: 'account', content: account },
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
      sealed: { name: 'account', content: account },
      seal: connectionSeal,
      fields: {
        label: connection.label,
        marketplaceId: row.id,
        configFields: masked(marketplace.account, account),
        percentageFee: connection.percentage_fee,
        importEnabled: connection.import_orders,
        confirmWhenTransmitted: connection.confirm_when_transmitted,
        checkBeforeLabel: connection.check_before_label,
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
