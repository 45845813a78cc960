import pg from 'pg';
import { readConfig } from '../src/config.ts';
import { openCore } from '../src/core.ts';
import { demoCompany } from '../src/demo/demo-company.ts';
import { silentLog } from '../src/lib/log.ts';
import { createKey } from '../src/usecases/setup/api-keys.ts';
import { apply } from '../src/usecases/setup/apply.ts';
import { ApplyDocument } from '../src/usecases/setup/apply-document.ts';
import { connectionsOf } from './shops.ts';

export interface Company {
  id: number;
  name: string;
  apiKey: string;
  /** Ids of the contracts, keyed by carrier. */
  contracts: Record<string, number>;
  carrierIds: Record<string, number>;
  connections: ConnectedShop[];
}

export interface ConnectedShop {
  id: number;
  marketplace: string;
  /** Told as soon as a shipment is transmitted. */
  isAutomatic: boolean;
}

interface DeclaredContract {
  carrier: string;
  account: Record<string, unknown>;
}

/** Makes each company a customer of its own at the carrier, so that no two of them share a list. */
const CUSTOMER_FIELDS: Record<string, (index: number) => Record<string, string>> = {
  'gls-it': (index) => ({ codiceClienteGls: String(100_001 + index) }),
  brt: (index) => ({ senderCustomerCode: String(1_020_304 + index), userID: String(1_020_304 + index) }),
  'dhl-express': (index) => ({ accountNumber: String(123_456_700 + index) }),
  ups: (index) => ({ shipperNumber: `A1B2${String(10 + index)}` }),
  fedex: (index) => ({ accountNumber: String(123_456_700 + index) }),
  'poste-it': (index) => ({ costCenterCode: `CDC-${10 + index}` }),
  // Only accounts that hand over to a courier may ask for one.
  'inpost-it': (index) => ({ organizationId: String(4711 + index), sendingMethod: 'dispatch_order' }),
};

interface Setting {
  count: number;
  sandboxUrl: string;
  receiverUrl: string;
  secret: string;
}

/** Migrates the database and makes companies with a contract at every carrier; the shops are spread over them. */
export async function makeCompanies(env: Record<string, string>, setting: Setting): Promise<Company[]> {
  await using stack = new AsyncDisposableStack();
  const { deps, databaseUrl } = await openCore(stack, { config: readConfig(env), log: silentLog, migrate: true });
  // The same references in every run: the fault that meets a call depends on its content.
  await execute(databaseUrl, `update installation set code = 'CHA'`);
  const names = Array.from({ length: setting.count }, (_, index) => `chaos-${index + 1}`);
  await apply(deps, ApplyDocument.parse({ companies: names.map((name, index) => company(name, index, setting)) }));
  const companies: Company[] = [];
  for (const name of names) {
    const { key, companyId } = await createKey(deps, { companyKey: name, name: 'chaos', expiresAt: null });
    const contracts = await execute<{ id: number; code: string; carrier_id: number }>(
      databaseUrl,
      `select k.id, c.code, c.id as carrier_id from contracts k join carriers c on c.id = k.carrier_id where k.company_id = ${companyId}`,
    );
    const connections = await execute<ConnectedShop>(
      databaseUrl,
      `select n.id, m.code as marketplace, n.confirm_when_transmitted as "isAutomatic"
         from connections n join marketplaces m on m.id = n.marketplace_id where n.company_id = ${companyId} order by n.id`,
    );
    companies.push({
      id: companyId,
      name,
      apiKey: key,
      contracts: Object.fromEntries(contracts.map(({ id, code }) => [code, id])),
      carrierIds: Object.fromEntries(contracts.map(({ code, carrier_id }) => [code, carrier_id])),
      connections,
    });
  }
  return companies;
}

function company(name: string, index: number, { count, sandboxUrl, receiverUrl, secret }: Setting): unknown {
  const { companies } = demoCompany(sandboxUrl) as { companies: [Record<string, unknown>] };
  const [demo] = companies;
  const contracts = (demo.contracts as DeclaredContract[]).map((contract) => ({
    ...contract,
    account: { ...contract.account, ...CUSTOMER_FIELDS[contract.carrier]?.(index) },
  }));
  const [warehouse] = demo.warehouses as [object];
  // UPS and Poste take one pickup per place and day.
  const warehouses = [{ ...warehouse, address: `Via del Lavoro ${100 + index}` }];
  const webhooks = [{ key: 'chaos', url: `${receiverUrl}/${name}`, secrets: [secret] }];
  const connections = connectionsOf(sandboxUrl).filter((_, at) => at % count === index);
  return { ...demo, key: name, name, contracts, warehouses, connections, webhooks };
}

export async function execute<Row>(databaseUrl: string, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  client.on('error', () => undefined); // told by the query
  await client.connect();
  try {
    return (await client.query(sql)).rows as Row[];
  } finally {
    await client.end();
  }
}
