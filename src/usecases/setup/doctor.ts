import { CarrierOutage, Connection, Contract, ContractOutage, EventEndpoint } from '../../db/entities/index.ts';
import { systemEm } from '../../db/orm.ts';
import { COMPANY_ROLE, hasRowSecurity } from '../../db/row-security.ts';

import { callConnection } from '../../engine/call-connection.ts';
import { callContract } from '../../engine/call-contract.ts';
import type { Deps } from '../../engine/deps.ts';
import type { QueueSystem } from '../../queue/queue-system.ts';
import { countSeals, type SealCount } from './reseal.ts';

export interface Finding {
  what: string;
  ok: boolean;
  detail: string;
}

const MAX_CLOCK_DIFFERENCE_MS = 2000;

/** Checks everything that the service depends on, including each contract and connection with a harmless call. */
export async function examine(deps: Deps & { queues: QueueSystem }): Promise<Finding[]> {
  const findings = [
    await check('database', async () => {
      const [row] = await systemEm(deps.orm).execute<{ version: string }[]>('show server_version');
      return `PostgreSQL ${Object.values(row ?? {})[0]}`;
    }),
    await check('migrations', async () => {
      const pending = await deps.orm.migrator.getPending();
      if (pending.length > 0) throw new Error(`${pending.length} pending: run smista migrate`);
      return 'all applied';
    }),
    await check('row-level security', async () => {
      const query = async (text: string) => ({
        rows: await systemEm(deps.orm).execute<{ isSecured: boolean }[]>(text),
      });
      if (await hasRowSecurity({ query })) return 'on';
      throw new Error(`off: the user of the database cannot take the role ${COMPANY_ROLE} (docs/operations.md)`);
    }),
    await check('clock', async () => {
      const [row] = await systemEm(deps.orm).execute<{ now: string }[]>('select clock_timestamp() as now');
      const difference = Math.abs(new Date(row?.now ?? 0).getTime() - Date.now());
      if (difference > MAX_CLOCK_DIFFERENCE_MS) throw new Error(`${difference} ms away from the database's`);
      return `${difference} ms away from the database's`;
    }),
    await check('connections', async () => {
      const [row] = await systemEm(deps.orm).execute<{ used: number; allowed: number }[]>(
        `select (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as used, current_setting('max_connections')::int as allowed`,
      );
      const detail = `${row?.used} of ${row?.allowed} in use`;
      if (row && row.used > row.allowed * 0.9) throw new Error(detail);
      return detail;
    }),
    // Packages of SMISTA_ADAPTERS are among them, when this process has them.
    await check('adapters', async () => [...deps.carriers.keys(), ...deps.marketplaces.keys()].join(', ')),
    await check(`queue (${deps.queues.backend})`, async () => {
      await deps.queues.ping();
      return 'answers';
    }),
    await check('seals', async () => sealState(await countSeals(deps))),
  ];
  const em = systemEm(deps.orm);
  const call = { requestId: 'doctor', signal: AbortSignal.timeout(30_000) };
  for (const contract of await em.find(Contract, { deleteFlag: false }, { orderBy: { id: 'asc' } })) {
    findings.push(
      await check(`contract ${contract.id} ${contract.label}`, () =>
        callContract(deps, { ...call, contract, shipmentId: null, attemptId: null }, async (carrier, context) => {
          await carrier.verifyAccount?.(context);
          return carrier.verifyAccount ? 'credentials accepted' : 'cannot be checked without a shipment';
        }),
      ),
    );
  }
  const away = new Set((await em.find(CarrierOutage, { since: { $ne: null } })).map(({ carrierId }) => carrierId));
  for (const outage of await em.find(ContractOutage, { since: { $ne: null } }, { orderBy: { contractId: 'asc' } })) {
    findings.push(
      await check(`polls of contract ${outage.contractId}`, async () =>
        outageState(outage, away.has(outage.carrierId)),
      ),
    );
  }
  for (const connection of await em.find(Connection, { deleteFlag: false }, { orderBy: { id: 'asc' } })) {
    findings.push(
      await check(`connection ${connection.id} ${connection.label}`, async () => {
        await callConnection(deps, { connection, shipmentId: null }, call, (marketplace, context) =>
          marketplace.verifyAccount(context),
        );
        return 'credentials accepted';
      }),
    );
  }
  // Without a call, because a receiver could not tell it from an event.
  for (const endpoint of await em.find(EventEndpoint, {}, { orderBy: { id: 'asc' } })) {
    findings.push(await check(`event endpoint ${endpoint.id} ${endpoint.key}`, async () => endpointState(endpoint)));
  }
  return findings;
}

function sealState({ newest, older, unreadable }: SealCount): string {
  if (unreadable.length > 0) throw new Error(`no key of SECRET_KEY opens ${unreadable.join(', ')}: apply again`);
  if (older > 0)
    throw new Error(`${older} of ${newest + older} are sealed with an older key: run smista secrets rotate`);
  return `all ${newest} with the newest key`;
}

function outageState({ since, lastError }: ContractOutage, isCarrierAway: boolean): string {
  const silent = isCarrierAway ? 'the carrier does not answer' : 'the carrier does not answer this contract alone';
  throw new Error(`${silent} since ${since?.toISOString()}: ${lastError}`);
}

function endpointState({
  disabledAt,
  disabledReason,
  failingSince,
  lastError,
  deliveredSequence,
}: EventEndpoint): string {
  if (disabledReason === 'switched-off') return 'switched off';
  if (disabledAt) throw new Error(`disabled since ${disabledAt.toISOString()} (${disabledReason}): ${lastError}`);
  if (failingSince) throw new Error(`failing since ${failingSince.toISOString()}: ${lastError}`);
  return `delivered up to event ${deliveredSequence}`;
}

async function check(what: string, look: () => Promise<string>): Promise<Finding> {
  try {
    return { what, ok: true, detail: await look() };
  } catch (error) {
    return { what, ok: false, detail: error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error) };
  }
}
