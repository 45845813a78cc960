import { z } from 'zod';
import { TABLE_TYPES } from '../../../documents/table-stream.ts';
import { importOrderSheet, type OrderSheetReport } from '../../../usecases/imports/import-order-sheet.ts';
import { readOrderUpload } from '../../../usecases/imports/read-order-file.ts';
import { defineRoute } from '../../http/route.ts';
import { Flag, ProblemBody } from '../../http/schemas.ts';
import { judgeOrder } from '../orders/judge-order.ts';
import { OrderImport } from './schemas.ts';

const Name = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .refine((name) => name.isWellFormed(), 'must be text');

const BYTES_PER_POINT = 100;

export const importOrdersRoute = defineRoute({
  method: 'post',
  scope: 'orders:write',
  path: '/orders/import',
  tag: 'Orders',
  summary: 'Import orders from a file',
  description:
    'An addition to the contract. The body is a CSV or XLSX file of at most 2 MB and 10,000 rows, one line of an order per row. Rows with one order number are one order. Headers may be Italian or English. An order whose number the company has is left as it is, so a repeated import creates only what is missing.',
  query: z.object({
    dryRun: Flag.describe('true: check everything and write nothing'),
    sheet: Name.optional().describe('Name of the sheet; absent: the first one'),
    mapping: Name.optional().describe('Name of a saved mapping: `order_sheets` of the company in the apply file'),
  }),
  isQueryStrict: true,
  upload: ['text/csv', TABLE_TYPES.xlsx],
  responses: {
    200: { description: 'The truth per order', schema: OrderImport },
    415: { description: 'The body is neither CSV nor XLSX', schema: ProblemBody },
    422: { description: 'A necessary column is missing, or there is no such sheet or mapping', schema: ProblemBody },
  },
  // A row has a hundred bytes or more, and is counted before it is read.
  points: ({ upload }) => Math.ceil(upload.length / BYTES_PER_POINT),
  async handle(deps, { companyId, query, upload }) {
    const report = await importOrderSheet(deps, judgeOrder, {
      companyId,
      sheets: await readOrderUpload(upload),
      sheetName: query.sheet ?? null,
      mapping: query.mapping ?? null,
      isDryRun: query.dryRun,
    });
    return { status: 200, body: importBody(report) };
  },
});

function importBody({ ignoredColumns, orders }: OrderSheetReport) {
  const count = (wanted: string): number => orders.filter(({ status }) => status === wanted).length;
  return {
    created: count('created'),
    existing: count('existing'),
    refused: count('refused'),
    valid: count('valid'),
    ignoredColumns,
    orders,
  };
}
