import { type Orm, systemEm } from '../db/orm.ts';
import { seeingEveryCompany } from '../lib/visible-companies.ts';

/** A change of a share takes effect after this long. */
const FRESH_MS = 5000;

/** Returns a function that tells the turns per round of a company in a queue; 1 for companies without a share. */
export function createShares(orm: Orm): (companyId: number) => Promise<number> {
  let reading: Promise<Map<number, number>> | null = null;
  let readAt = 0;
  const read = async (): Promise<Map<number, number>> => {
    const rows = await systemEm(orm).execute<{ id: number; share: number }[]>(
      `select id, (settings #>> '{limits,share}')::int as share from companies where settings #> '{limits,share}' is not null`,
    );
    return new Map(rows.map(({ id, share }) => [id, share]));
  };
  return async (companyId) => {
    if (reading === null || Date.now() - readAt >= FRESH_MS) {
      readAt = Date.now();
      // All companies share the answer, whichever of them asks first.
      const own = seeingEveryCompany(read);
      reading = own;
      own.catch(() => {
        if (reading === own) reading = null;
      });
    }
    return (await reading).get(companyId) ?? 1;
  };
}
