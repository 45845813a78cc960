import { Company, Product, Warehouse } from '../../db/entities/index.ts';
import { systemEm } from '../../db/orm.ts';
import type { Deps } from '../../engine/deps.ts';
import { ruleFaults } from '../rules/shipping-rules.ts';
import { saveEdition } from '../tariffs/price-lists.ts';
import { type ApplyDocument, DEFAULT_SETTINGS, type DeclaredCompany } from './apply-document.ts';
import { applyEventEndpoint } from './apply-event-endpoint.ts';
import { type Applying, applyConnection, applyContract } from './apply-partners.ts';
import { applyPrinter } from './apply-printer.ts';
import { storedLimits } from './company-limits.ts';
import { DeclarationError, type Fault, partnerFaults } from './declaration-faults.ts';
import { type Change, upsert } from './upsert-declared.ts';

type ApplyDeps = Pick<Deps, 'orm' | 'vault' | 'carriers' | 'marketplaces' | 'now' | 'settings'>;

/** Thrown to roll a dry run back. */
class DryRun extends Error {
  readonly changes: Change[];

  constructor(changes: Change[]) {
    super('dry run');
    this.changes = changes;
  }
}

/**
 * Applies a declaration to the database in one transaction. A repeat is a no-op. A dry run returns the same changes and
 * rolls them back. Throws a `DeclarationError` with every fault.
 */
export async function apply(
  deps: ApplyDeps,
  document: ApplyDocument,
  { isDryRun = false }: { isDryRun?: boolean } = {},
): Promise<Change[]> {
  const partners = partnerFaults(deps, document);
  if (partners.length > 0) throw new DeclarationError(partners);
  const applied = systemEm(deps.orm).transactional(async (tx) => {
    const changes: Change[] = [];
    const faults: Fault[] = [];
    for (const [index, declared] of document.companies.entries()) {
      changes.push(...(await applyCompany({ deps, tx, faults, path: ['companies', index] }, declared)));
    }
    if (faults.length > 0) throw new DeclarationError(faults);
    if (isDryRun) throw new DryRun(changes);
    return changes;
  });
  return applied.catch((error: unknown) => {
    if (error instanceof DryRun) return error.changes;
    throw error;
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
    ...(Object.keys(settings.limits).length > 0 ? { limits: storedLimits(settings.limits) } : {}),
    ...(Object.keys(settings.order_sheets).length > 0 ? { orderSheets: settings.order_sheets } : {}),
  };
}

async function applyCompany(
  within: Omit<Applying, 'companyId' | 'label'>,
  declared: DeclaredCompany,
): Promise<Change[]> {
  const { tx } = within;
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
  const applying = { ...within, companyId, label };
  const changes = [company.change];
  for (const warehouse of declared.warehouses) {
    const { key, country_code, default: isDefault, ...place } = warehouse;
    const fields = { ...place, countryCode: country_code, isDefault };
    changes.push((await upsert(tx, Warehouse, { companyId, key }, `${label} warehouse ${key}`, fields)).change);
  }
  for (const [index, product] of declared.products.entries()) {
    // Ids are unique among all companies, and clients send them.
    const owner = product.id === undefined ? null : await tx.findOne(Product, product.id);
    if (owner && (owner.companyId !== companyId || owner.sku !== product.sku)) {
      const path = [...within.path, 'products', index, 'id'];
      within.faults.push({ path, message: 'is the id of another product: omit it, or use a new one' });
      continue;
    }
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
  for (const [index, contract] of declared.contracts.entries()) {
    changes.push(...present(await applyContract(applying, contract, index)));
  }
  for (const [index, connection] of declared.connections.entries()) {
    changes.push(...present(await applyConnection(applying, connection, index)));
  }
  if (declared.rules !== undefined) {
    const faults = await ruleFaults(tx, { companyId, rules: declared.rules });
    within.faults.push(...faults.map(({ path, message }) => ({ path: [...within.path, 'rules', ...path], message })));
    const fields = { shippingRules: declared.rules };
    changes.push((await upsert(tx, Company, { key: declared.key }, `${label} rules`, fields)).change);
  }
  for (const [index, webhook] of declared.webhooks.entries()) {
    changes.push(...present(await applyEventEndpoint(applying, webhook, index)));
  }
  for (const [index, printer] of declared.printers.entries()) {
    changes.push(...present(await applyPrinter(applying, printer, index)));
  }
  return changes;
}

function present(change: Change | null): Change[] {
  return change === null ? [] : [change];
}
