import { z } from 'zod';
import { TABLE_TYPES } from '../../../documents/table-stream.ts';
import { Day } from '../../../domain/pricing/price-list.ts';
import { placeText } from '../../../domain/pricing/sheets/sheet.ts';
import { readOrderUpload } from '../../../usecases/imports/read-order-file.ts';
import { type PriceListPlan, uploadPriceList } from '../../../usecases/tariffs/upload-price-list.ts';
import { defineRoute } from '../../http/route.ts';
import { Flag, IdPath, ProblemBody } from '../../http/schemas.ts';
import { PriceListImport } from './schemas.ts';

const MAX_SHOWN = 5000;
const BYTES_PER_POINT = 1000;

const Name = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .refine((name) => name.isWellFormed(), 'must be text');

export const importPriceListRoute = defineRoute({
  method: 'post',
  scope: 'tariffs:write',
  path: '/carriers/contracts/{id}/price-list',
  tag: 'Carriers',
  summary: "Import a price list into a contract's tariff",
  description:
    'An addition to the contract. The body is a CSV or XLSX file of at most 2 MB, as `smista tariffs import` takes it. All or nothing: with one problem nothing is written. `dryRun=true` shows price by price what would change. With the `digest` of that answer exactly this is written, or the request answers 409.',
  params: IdPath,
  query: z.object({
    dryRun: Flag.describe('true: check everything and write nothing'),
    from: Day.optional().describe('First day, YYYY-MM-DD; absent: always, which a tariff with first days refuses'),
    to: Day.optional().describe('Last day; absent: unchanged, or until the next list begins'),
    side: z
      .enum(['sale', 'purchase'])
      .default('sale')
      .describe('`sale`: what a quote asks. `purchase`: what the carrier asks of you'),
    name: Name.optional().describe('Name of the list; absent: unchanged, or the one in the file'),
    digest: z.string().min(1).max(100).optional().describe('`digest` of the preview that was agreed to'),
  }),
  isQueryStrict: true,
  upload: ['text/csv', TABLE_TYPES.xlsx],
  responses: {
    200: { description: 'What changes, or changed', schema: PriceListImport },
    409: { description: 'The prices have changed since the preview', schema: ProblemBody },
    415: { description: 'The body is neither CSV nor XLSX', schema: ProblemBody },
    422: {
      description: 'The contract has no tariff, the period is wrong, or the file has problems',
      schema: ProblemBody,
    },
  },
  points: ({ upload }) => Math.max(1, Math.ceil(upload.length / BYTES_PER_POINT)),
  async handle(deps, { companyId, params, query, upload }) {
    const plan = await uploadPriceList(deps, {
      companyId,
      contractId: params.id,
      sheets: await readOrderUpload(upload),
      from: query.from ?? null,
      to: query.to ?? null,
      side: query.side,
      name: query.name ?? null,
      isDryRun: query.dryRun,
      digest: query.digest ?? null,
    });
    return { status: 200, body: { carrierCompanyId: params.id, isDryRun: query.dryRun, ...planBody(plan) } };
  },
});

function planBody(plan: PriceListPlan) {
  const { tariffKey: tariff, alsoUsedBy, change, name, from, to, digest, changes, notices, holes } = plan;
  const prices = changes?.prices ?? [];
  const count = (wanted: string): number => prices.filter((price) => price.change === wanted).length;
  return {
    ...{ tariff, alsoUsedBy, change, name, from, to, digest, notices, holes },
    counts: {
      added: count('added'),
      changed: count('changed'),
      removed: count('removed'),
      unchanged: changes?.unchanged ?? 0,
    },
    changes: prices.slice(0, MAX_SHOWN),
    otherParts: changes?.parts ?? [],
    problems: plan.problems.map((cell) => ({ place: placeText(cell), message: cell.message })),
    notRead: plan.notRead.map((cell) => ({ place: placeText(cell), message: cell.text })),
  };
}
