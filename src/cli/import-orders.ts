import type { Command } from 'commander';
import type { SheetMapping } from '../domain/order-sheet/headings.ts';
import type { JudgeOrder, OrderSheetReport, SheetOrderResult } from '../usecases/imports/import-order-sheet.ts';
import { columns, printable } from './table.ts';
import type { WithDatabase } from './with-core.ts';

interface ImportOptions {
  company: string;
  dryRun?: boolean;
  mapping?: string;
  sheet?: string;
}

/** Adds `smista orders import`. `loadJudge` loads the rules of order creation, which other commands do not need. */
export function importOrdersCommand(
  orders: Command,
  withDatabase: WithDatabase,
  loadJudge: () => Promise<JudgeOrder>,
): void {
  orders
    .command('import')
    .description('create the orders of a sheet, one line per row; ends with 1 when an order is refused')
    .argument('<file>', '.csv or .xlsx')
    .requiredOption('--company <key>', 'whose orders')
    .option('--dry-run', 'show what would be created and what is wrong, and write nothing')
    .option('--mapping <file>', 'a YAML or JSON file with our field and the header of the sheet')
    .option('--sheet <name>', 'the sheet of a workbook; without it, the first one')
    .action(async (file: string, { company, dryRun: isDryRun = false, mapping, sheet }: ImportOptions) => {
      const { companyIdOf, importOrderSheet } = await import('../usecases/imports/import-order-sheet.ts');
      const { readOrderFile } = await import('../usecases/imports/read-order-file.ts');
      const own = mapping === undefined ? null : await readMappingFile(mapping);
      const sheets = await readOrderFile(file);
      await withDatabase({}, async ({ deps }) => {
        const report = await importOrderSheet(deps, await loadJudge(), {
          companyId: await companyIdOf(deps, company),
          sheets,
          sheetName: sheet ?? null,
          mapping: own,
          isDryRun,
        });
        console.log(printable(shown(report, isDryRun)));
        if (report.orders.some(({ status }) => status === 'refused')) process.exitCode = 1;
      });
    });
}

async function readMappingFile(name: string): Promise<SheetMapping> {
  const [{ SheetMapping: schema }, { DeclarationError }, { readDeclarationFile }] = await Promise.all([
    import('../domain/order-sheet/headings.ts'),
    import('../usecases/setup/declaration-faults.ts'),
    import('./declaration-file.ts'),
  ]);
  const file = readDeclarationFile(name);
  const parsed = schema.safeParse(file.declared);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.flatMap((issue) => {
    const path = issue.path as (string | number)[];
    if (issue.code !== 'unrecognized_keys') return [{ path, message: issue.message }];
    return issue.keys.map((key) => ({ path: [...path, key], message: 'is no field of ours', isUnknownField: true }));
  });
  throw file.explain(new DeclarationError(faults));
}

function shown({ ignoredColumns, orders }: OrderSheetReport, isDryRun: boolean): string {
  const faults = orders.flatMap((order) => order.faults);
  const rows = faults.map(({ row, column, message }) => [String(row), column ?? '-', message]);
  const sections = [
    rows.length > 0 ? columns([['ROW', 'COLUMN', 'MESSAGE'], ...rows]) : '',
    ignoredColumns.length > 0 ? `Ignored columns: ${ignoredColumns.join(', ')}` : '',
    isDryRun ? `Nothing was written. Without --dry-run: ${counted(orders)}` : counted(orders),
  ];
  return sections.filter(Boolean).join('\n\n');
}

/** A valid order of a dry run counts as created. */
function counted(orders: readonly SheetOrderResult[]): string {
  const count = (...wanted: SheetOrderResult['status'][]): number =>
    orders.filter(({ status }) => wanted.includes(status)).length;
  return `${count('created', 'valid')} created, ${count('existing')} existing, ${count('refused')} refused.`;
}
