import type { z } from 'zod';
import {
  CarrierRow,
  Connection,
  Contract,
  MarketplaceRow,
  type ServiceTariff,
  Tariff,
} from '../../db/entities/index.ts';
import type { Em } from '../../db/orm.ts';
import { connectionSeal } from '../../engine/call-connection.ts';
import { contractSeal } from '../../engine/call-contract.ts';
import type { Deps } from '../../engine/deps.ts';
import { secretFields } from '../../lib/call-partner.ts';
import type { DeclaredCompany } from './apply-document.ts';
import { accountFaults, type Fault } from './declaration-faults.ts';
import { keptFields, NOTHING_TO_KEEP, openSealed } from './keep-secrets.ts';
import { type Change, type Row, upsertSealed } from './upsert-declared.ts';

/** The company that a declaration belongs to. */
export interface Applying {
  deps: Pick<Deps, 'vault' | 'carriers' | 'marketplaces' | 'now' | 'settings'>;
  tx: Em;
  companyId: number;
  /** Name of the company in the report. */
  label: string;
  /** Path in the declaration. */
  path: readonly (string | number)[];
  /** Faults; a single one rolls everything back. */
  faults: Fault[];
}

/** Creates or changes a contract. Returns null and adds to `faults` when it cannot. */
export async function applyContract(
  { deps, tx, companyId, label, faults, ...at }: Applying,
  contract: DeclaredCompany['contracts'][number],
  index: number,
): Promise<Change | null> {
  const path = [...at.path, 'contracts', index];
  const carrier = deps.carriers.get(contract.carrier);
  if (!carrier) throw new Error(`Carrier ${contract.carrier} was not checked`);
  const row = await tx.findOneOrFail(CarrierRow, { code: contract.carrier });
  const known = await tx.findOne(Contract, { companyId, key: contract.key });
  const sealed = known?.carrierId === row.id ? openSealed(deps, known.credentials, contractSeal(known.id)) : null;
  const account = readAccount(carrier.account, contract.account, { sealed, path: [...path, 'account'], faults });
  const tariffOf = async (key: string, place: readonly (string | number)[]): Promise<number> => {
    const tariff = await tx.findOne(Tariff, { companyId, key });
    if (!tariff) faults.push({ path: [...path, ...place], message: `there is no tariff ${key}` });
    return tariff?.id ?? 0;
  };
  const tariffId = contract.tariff ? await tariffOf(contract.tariff, ['tariff']) : null;
  const serviceTariffs: ServiceTariff[] = [];
  for (const [position, { code, tariff }] of contract.services.entries()) {
    serviceTariffs.push({ service: code, tariffId: await tariffOf(tariff, ['services', position, 'tariff']) });
  }
  if (!account || faults.length > 0) return null;
  const { id, change } = await upsertSealed(
    deps,
    tx,
    Contract,
    { companyId, key: contract.key },
    {
      what: `${label} contract ${contract.key}`,
      sealed: { name: 'account', content: account },
      seal: contractSeal,
      fields: {
        label: contract.label,
        carrierId: row.id,
        configFields: masked(carrier.account, account),
        tariffId,
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
  if (!(await setDefault(tx, { companyId, contractId: id, isDefault: contract.default }))) return change;
  if (change.change === 'created') return change;
  return { ...change, change: 'changed', fields: [...change.fields, 'default'] };
}

/** Returns true when the company's default contract changed. */
async function setDefault(
  tx: Em,
  { companyId, contractId, isDefault }: { companyId: number; contractId: number; isDefault: boolean },
): Promise<boolean> {
  const changed = await tx.execute<{ id: number }[]>(
    `update companies set default_contract_id = case when ? then ?::int end, updated_at = now()
      where id = ? and (default_contract_id is not distinct from ?::int) <> ? returning id`,
    [isDefault, contractId, companyId, contractId, isDefault],
  );
  return changed.length > 0;
}

/** Creates or changes a connection. Returns null and adds to `faults` when it cannot. */
export async function applyConnection(
  { deps, tx, companyId, label, faults, ...at }: Applying,
  connection: DeclaredCompany['connections'][number],
  index: number,
): Promise<Change | null> {
  const path = [...at.path, 'connections', index, 'account'];
  const marketplace = deps.marketplaces.get(connection.marketplace);
  if (!marketplace) throw new Error(`Marketplace ${connection.marketplace} was not checked`);
  const row = await tx.findOneOrFail(MarketplaceRow, { code: connection.marketplace });
  const known = await tx.findOne(Connection, { companyId, key: connection.key });
  const sealed = known?.marketplaceId === row.id ? openSealed(deps, known.credentials, connectionSeal(known.id)) : null;
  const account = readAccount(marketplace.account, connection.account, { sealed, path, faults });
  if (!account || faults.length > 0) return null;
  const { change } = await upsertSealed(
    deps,
    tx,
    Connection,
    { companyId, key: connection.key },
    {
      what: `${label} connection ${connection.key}`,
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
  return change;
}

/** Returns the account with its kept secrets. Returns null and adds to `faults` when that is impossible. */
function readAccount(
  schema: z.ZodType<unknown>,
  given: Row,
  { sealed, path, faults }: { sealed: Row | null; path: readonly (string | number)[]; faults: Fault[] },
): Row | null {
  const kept = keptFields(schema, given);
  const missing = kept.filter((name) => sealed?.[name] === undefined);
  const account = { ...given, ...Object.fromEntries(kept.map((name) => [name, sealed?.[name]])) };
  const found =
    missing.length > 0
      ? missing.map((name) => ({ path: [...path, name], message: NOTHING_TO_KEEP }))
      : accountFaults(schema, account, path);
  faults.push(...found);
  return found.length > 0 ? null : (schema.parse(account) as Row);
}

function masked(schema: z.ZodType<unknown>, account: Row): Row {
  const secrets = new Set(secretFields(schema));
  return Object.fromEntries(
    Object.entries(account).map(([name, value]) => [name, secrets.has(name) ? '********' : value]),
  );
}
