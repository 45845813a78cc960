import { createHash } from 'node:crypto';
import { Contract, Tariff } from '../../db/entities/index.ts';
import { companyEm, type Em } from '../../db/orm.ts';
import { type PriceListChanges, priceListChanges } from '../../domain/pricing/price-list-changes.ts';
import { priceListHoles } from '../../domain/pricing/price-list-holes.ts';
import type { Side } from '../../domain/pricing/quote-input.ts';
import { type PriceListReading, readPriceList } from '../../domain/pricing/sheets/read-price-list.ts';
import type { Sheet } from '../../domain/pricing/sheets/sheet.ts';
import type { Deps } from '../../engine/deps.ts';
import { conflict, notFound, readCompany, unprocessable } from '../../engine/find.ts';
import { canonical, isSame } from '../../lib/canonical.ts';
import { wallClock } from '../../lib/clock.ts';
import { lastBefore, type TariffImportReport } from './import-tariff.ts';
import { type Edition, readEditions, saveEdition } from './price-lists.ts';

export interface PriceListUpload {
  companyId: number;
  contractId: number;
  sheets: readonly Sheet[];
  /** First day in force, YYYY-MM-DD; null: no first day. */
  from: string | null;
  /** Last day in force; null: unchanged, or open. */
  to: string | null;
  side: Side;
  /** Null: unchanged, or the one in the file. */
  name: string | null;
  /** True: check everything and write nothing. */
  isDryRun: boolean;
  /** The digest of the preview that was agreed to; null: none was. */
  digest: string | null;
}

export interface PriceListPlan extends Pick<PriceListReading, 'problems' | 'notices' | 'notRead'> {
  tariffKey: string;
  name: string | null;
  from: string | null;
  to: string | null;
  /** The written change, or the planned one; null with a problem. */
  change: TariffImportReport['change'];
  /** Null with a problem. */
  changes: PriceListChanges | null;
  holes: string[];
  /** Names what would be written and what it replaces; null with a problem. */
  digest: string | null;
  /** Labels of the other contracts that use the tariff. */
  alsoUsedBy: string[];
}

/** Brings the prices of a file into the tariff of a contract, all or nothing, as `smista tariffs import` does. */
export async function uploadPriceList(deps: Pick<Deps, 'orm' | 'now'>, input: PriceListUpload): Promise<PriceListPlan> {
  const { companyId, contractId } = input;
  const company = await readCompany(deps.orm, companyId);
  if (!company) throw notFound('company');
  const em = companyEm(deps.orm, companyId);
  const contracts = await em.find(Contract, { deleteFlag: false }, { orderBy: { id: 'asc' } });
  const contract = contracts.find(({ id }) => id === contractId);
  if (!contract) throw notFound('carrier contract');
  const { tariffId, label } = contract;
  if (tariffId === null) throw unprocessable(`Contract ${label} has no tariff: name one in the apply file first`);
  const others = contracts.filter(
    (one) =>
      one.id !== contractId &&
      (one.tariffId === tariffId || one.serviceTariffs.some((service) => service.tariffId === tariffId)),
  );
  const today = wallClock(deps.now(), company.settings.timeZone).date;
  return em.transactional(async (tx) => {
    // Two people who agree to different previews come one after the other.
    await tx.execute('select id from tariffs where company_id = ? and id = ? for update', [companyId, tariffId]);
    const { key } = await tx.findOneOrFail(Tariff, tariffId);
    const plan = planOf(input, { key, today, editions: await readEditions(tx, { key }) });
    await write(tx, input, plan);
    const { priceList, ...shown } = plan;
    return { ...shown, alsoUsedBy: others.map((other) => other.label) };
  });
}

type Plan = Omit<PriceListPlan, 'alsoUsedBy'> & Pick<PriceListReading, 'priceList'>;

async function write(tx: Em, { companyId, isDryRun, digest }: PriceListUpload, plan: Plan): Promise<void> {
  if (isDryRun) return;
  const { tariffKey: key, from, to, priceList, problems } = plan;
  if (!priceList) {
    const cells = problems.map(({ sheet, row, column, message }) => `${sheet} ${row}:${column} ${message}`);
    throw unprocessable(
      'Nothing was written: cells of the file cannot be taken as they are',
      cells.map((message) => ({ pointer: '', message })),
    );
  }
  if (digest !== null && digest !== plan.digest) {
    throw conflict('preview-changed', 'The prices have changed since the preview: look at a new one');
  }
  await saveEdition(tx, { companyId, key, from: from ?? '', to, priceList });
}

function planOf(
  input: PriceListUpload,
  { key, today, editions }: { key: string; today: string; editions: readonly Edition[] },
): Plan {
  refuseMistakes(input, key, editions);
  const from = input.from ?? '';
  const base = lastBefore(editions, from);
  const reading = readPriceList(input.sheets, {
    base,
    zones: [],
    side: input.side,
    name: input.name,
    defaultName: base?.name ?? key,
  });
  const { priceList, problems, notices, notRead } = reading;
  const known = editions.find((edition) => edition.from === from);
  const to = input.to ?? known?.to ?? null;
  const shown = { tariffKey: key, from: input.from, to, problems, notices, notRead };
  if (!priceList || problems.length > 0) {
    return { ...shown, priceList: null, name: null, change: null, changes: null, holes: [], digest: null };
  }
  const isKept = known !== undefined && known.to === to && isSame(known.priceList, priceList);
  return {
    ...shown,
    priceList,
    name: priceList.name,
    change: known === undefined ? 'created' : isKept ? 'unchanged' : 'changed',
    changes: priceListChanges(base, priceList),
    holes: priceListHoles(priceList, from > today ? from : today),
    digest: createHash('sha256')
      .update(canonical([key, from, to, base, known?.to, priceList]))
      .digest('base64url'),
  };
}

function refuseMistakes({ from, to }: PriceListUpload, key: string, editions: readonly Edition[]): void {
  if (to !== null && from !== null && to < from) throw unprocessable('The period ends before it begins');
  const begun = editions.map((edition) => edition.from).filter((day) => day !== '');
  if (from === null && begun.length > 0) {
    throw unprocessable(`Tariff ${key} has price lists from ${begun.join(', ')}: say in \`from\` when this one begins`);
  }
}
