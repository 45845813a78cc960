import type { Orm } from '../orm.ts';
import { AMONG_JOBS, batched } from './batched.ts';
import { runPrepared, type Statement } from './prepared.ts';

const READ_OUTAGES: Statement = {
  name: 'read-outages',
  text: `
    select contract_id as "contractId", null::int as "carrierId" from contract_outages where contract_id = any($1::int[])
    union all select null, carrier_id from carrier_outages where carrier_id = any($2::int[])`,
};

/** Tells whether polls of a contract, or of any contract of its carrier, went unanswered lately. */
export const isSilent = batched(
  async (orm: Orm, contracts: readonly { id: number; carrierId: number }[]): Promise<boolean[]> => {
    const rows = await runPrepared<{ contractId: number | null; carrierId: number | null }>(orm, READ_OUTAGES, [
      contracts.map(({ id }) => id),
      contracts.map(({ carrierId }) => carrierId),
    ]);
    return contracts.map(({ id, carrierId }) =>
      rows.some((row) => row.contractId === id || row.carrierId === carrierId),
    );
  },
  { ...AMONG_JOBS, isRead: true },
);
