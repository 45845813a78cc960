import {
  CarrierRow,
  Company,
  Connection,
  Contract,
  EventEndpoint,
  MarketplaceRow,
  Printer,
  Product,
  Tariff,
  Warehouse,
} from '../../db/entities/index.ts';
import { companyEm, type Em, systemEm } from '../../db/orm.ts';
import type { Deps } from '../../engine/deps.ts';
import { secretFields } from '../../lib/call-partner.ts';
import { UsageError } from '../../lib/errors.ts';
import { readEditions } from '../tariffs/price-lists.ts';
import { declaredLimits } from './company-limits.ts';
import { KEEP } from './keep-secrets.ts';

type ExportDeps = Pick<Deps, 'orm' | 'carriers' | 'marketplaces'>;
type Declared = Record<string, unknown>;

/**
 * Returns a declaration of one company or all, which `apply` would report as unchanged. Secrets are the word `keep`.
 * @param companyKey null: all companies
 */
export async function exportCompanies(deps: ExportDeps, companyKey: string | null): Promise<{ companies: Declared[] }> {
  const found = await systemEm(deps.orm).find(Company, companyKey === null ? {} : { key: companyKey }, {
    orderBy: { key: 'asc' },
  });
  if (found.length === 0) {
    throw new UsageError(companyKey === null ? 'There is no company' : `There is no company ${companyKey}`);
  }
  const companies: Declared[] = [];
  for (const company of found) companies.push(await exportCompany(deps, company));
  return { companies };
}

async function exportCompany(deps: ExportDeps, company: Company): Promise<Declared> {
  const em = companyEm(deps.orm, company.id);
  const { settings } = company;
  const { defaultParcel } = settings;
  return given({
    key: company.key,
    name: company.name,
    address: company.address,
    postal_code: company.postalCode,
    city: company.city,
    province: company.province,
    country: company.country,
    vat_number: company.vatNumber,
    phone: company.phone,
    email: company.email,
    settings: {
      prices_include_vat: settings.pricesIncludeVat,
      vat_rate: settings.vatRate,
      vat_rates: settings.vatRates ?? {},
      currency: settings.currency,
      time_zone: settings.timeZone,
      unique_order_numbers: settings.uniqueOrderNumbers ?? false,
      order_sheets: settings.orderSheets ?? {},
      limits: declaredLimits(settings.limits),
      default_parcel: { weight_kg: defaultParcel.weightGrams / 1000, ...centimetres(defaultParcel) },
    },
    warehouses: await exportWarehouses(em),
    products: await exportProducts(em),
    tariffs: await exportTariffs(em),
    contracts: await exportContracts(deps, em, company),
    connections: await exportConnections(deps, em),
    rules: company.shippingRules,
    webhooks: await exportWebhooks(em),
    printers: await exportPrinters(em),
  });
}

async function exportWarehouses(em: Em): Promise<Declared[]> {
  const rows = await em.find(Warehouse, {}, { orderBy: { id: 'asc' } });
  return rows.map(({ key, name, address, city, province, zip, countryCode, phone, email, isDefault }) => ({
    ...given({ key, name, province, country_code: countryCode, phone, email }),
    // Required, even if empty.
    ...{ address, city, zip },
    default: isDefault,
  }));
}

async function exportProducts(em: Em): Promise<Declared[]> {
  const rows = await em.find(Product, {}, { orderBy: { sku: 'asc' } });
  return rows.map((product) => ({
    sku: product.sku,
    title: product.title,
    ...given({
      id: product.id,
      weight_kg: product.weightGrams > 0 ? product.weightGrams / 1000 : null,
      commodity_code: product.commodityCode,
      origin_country: product.originCountry,
    }),
    ...centimetres(product),
  }));
}

async function exportTariffs(em: Em): Promise<Declared[]> {
  const editions = await readEditions(em, {});
  return editions.map(({ key, from, to, priceList }) => ({
    key,
    ...given({ valid_from: from, valid_to: to }),
    ...priceList,
  }));
}

async function exportContracts({ carriers }: ExportDeps, em: Em, { defaultContractId }: Company): Promise<Declared[]> {
  const codes = new Map((await em.find(CarrierRow, {})).map(({ id, code }) => [id, code]));
  const tariffs = new Map((await em.find(Tariff, {})).map(({ id, key }) => [id, key]));
  const rows = await em.find(Contract, { deleteFlag: false }, { orderBy: { id: 'asc' } });
  return rows.map((contract) => {
    const carrier = codes.get(contract.carrierId) ?? '';
    return given({
      key: contract.key,
      label: contract.label,
      carrier,
      account: keptAccount(contract.configFields, carriers.get(carrier)),
      tariff: contract.tariffId && tariffs.get(contract.tariffId),
      services: contract.serviceTariffs.map(({ service, tariffId }) => ({
        code: service,
        tariff: tariffs.get(tariffId),
      })),
      coefficient: contract.coefficient,
      max_weight_kg: contract.maxWeightGrams && contract.maxWeightGrams / 1000,
      support_cod: contract.supportCod,
      support_insurance: contract.supportInsurance,
      default_cod_payment_type: contract.defaultCodPaymentType,
      label_format: contract.labelFormat,
      connected: contract.isConnected,
      // A disabled contract cannot be the default.
      default: contract.isConnected && contract.id === defaultContractId,
    });
  });
}

async function exportConnections({ marketplaces }: ExportDeps, em: Em): Promise<Declared[]> {
  const codes = new Map((await em.find(MarketplaceRow, {})).map(({ id, code }) => [id, code]));
  const rows = await em.find(Connection, { deleteFlag: false }, { orderBy: { id: 'asc' } });
  return rows.map((connection) => {
    const marketplace = codes.get(connection.marketplaceId) ?? '';
    return {
      key: connection.key,
      label: connection.label,
      marketplace,
      account: keptAccount(connection.configFields, marketplaces.get(marketplace)),
      percentage_fee: connection.percentageFee,
      import_orders: connection.importEnabled,
      confirm_when_transmitted: connection.confirmWhenTransmitted,
      check_before_label: connection.checkBeforeLabel,
      connected: connection.isConnected,
    };
  });
}

async function exportWebhooks(em: Em): Promise<Declared[]> {
  const rows = await em.find(EventEndpoint, {}, { orderBy: { id: 'asc' } });
  return rows.map(({ key, url, types, isEnabled }) => given({ key, url, types, secrets: [KEEP], enabled: isEnabled }));
}

async function exportPrinters(em: Em): Promise<Declared[]> {
  const warehouses = new Map((await em.find(Warehouse, {})).map(({ id, key }) => [id, key]));
  const rows = await em.find(Printer, {}, { orderBy: { id: 'asc' } });
  return rows.map(({ key, name, address, format, stations, warehouseId, isEnabled }) =>
    given({
      ...{ key, name, address, format, stations },
      warehouse: warehouseId && warehouses.get(warehouseId),
      enabled: isEnabled,
    }),
  );
}

type Partner = Parameters<typeof secretFields>[0];

/** Returns the account with `keep` for its secrets, which the row masks. */
function keptAccount(configFields: Declared, partner: { account: Partner } | undefined): Declared {
  const secrets = partner ? secretFields(partner.account) : [];
  return {
    ...configFields,
    ...Object.fromEntries(secrets.filter((name) => name in configFields).map((name) => [name, KEEP])),
  };
}

function centimetres({
  lengthMm,
  widthMm,
  heightMm,
}: {
  lengthMm: number;
  widthMm: number;
  heightMm: number;
}): Declared {
  return { length_cm: lengthMm / 10, width_cm: widthMm / 10, height_cm: heightMm / 10 };
}

/** Removes empty values: empty texts and lists, null, undefined. */
function given(fields: Declared): Declared {
  const isThere = (value: unknown) =>
    value !== '' && value !== null && value !== undefined && !(Array.isArray(value) && value.length === 0);
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => isThere(value)));
}
