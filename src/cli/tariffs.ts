import { type Command, Option } from 'commander';
import { kilograms } from '../domain/pricing/amount.ts';
import type { ZoneMatch } from '../domain/pricing/match.ts';
import type { Side } from '../domain/pricing/quote-input.ts';
import type { UnderstoodZone } from '../domain/pricing/sheets/list-from-grid.ts';
import { type CellPlace, EXPORTED_SHEETS, placeText } from '../domain/pricing/sheets/sheet.ts';
import type { TariffCheck, TariffLine } from '../usecases/tariffs/check-tariffs.ts';
import type { TariffImportReport } from '../usecases/tariffs/import-tariff.ts';
import { isoDay } from './arguments.ts';
import { columns, printable } from './table.ts';
import type { WithDatabase } from './with-core.ts';

interface ImportOptions {
  company: string;
  tariff: string;
  from?: string;
  to?: string;
  like?: string;
  zones?: string;
  side: Side;
  name?: string;
  dryRun?: boolean;
}

interface ExportOptions {
  company: string;
  tariff: string;
  on?: string;
  sheet: (typeof EXPORTED_SHEETS)[number];
}

/** Adds `smista tariffs …`: price lists in and out of files. */
export function tariffCommands(program: Command, withDatabase: WithDatabase): void {
  const tariffs = program.command('tariffs').description('price lists');
  tariffs
    .command('list')
    .description('the price lists there are, and the contracts that use them')
    .option('--company <key>', 'only of this company')
    .action(async (options: { company?: string }) => {
      const { listTariffs } = await import('../usecases/tariffs/check-tariffs.ts');
      await withDatabase({}, async ({ deps }) => console.log(listed(await listTariffs(deps, options.company ?? null))));
    });
  importCommand(tariffs, withDatabase);
  exportCommand(tariffs, withDatabase);
  tariffs
    .command('check')
    .description('what is wrong with price lists, and where they have no price; ends with 1 when something is wrong')
    .requiredOption('--company <key>', 'whose price lists')
    .option('--tariff <key>', 'only this one')
    .action(async (options: { company: string; tariff?: string }) => {
      const { checkTariffs } = await import('../usecases/tariffs/check-tariffs.ts');
      await withDatabase({}, async ({ deps }) => {
        const checks = await checkTariffs(deps, { companyKey: options.company, tariffKey: options.tariff ?? null });
        console.log(checked(checks));
        if (checks.some(({ problems }) => problems.length > 0)) process.exitCode = 1;
      });
    });
}

function importCommand(tariffs: Command, withDatabase: WithDatabase): void {
  tariffs
    .command('import')
    .description('bring in the prices of an Excel sheet or CSV file, or the whole workbook that export wrote')
    .argument('<file>', '.xlsx or .csv')
    .requiredOption('--company <key>', 'whose tariff')
    .requiredOption('--tariff <key>', 'the tariff, new or there already')
    .option('--from <date>', 'first day these prices are in force, YYYY-MM-DD', isoDay)
    .option('--to <date>', 'last day', isoDay)
    .option('--like <tariff>', 'take zones, surcharges and options from this tariff')
    .option('--zones <file>', 'zones that the headings may name, in the columns of the sheet Zones')
    .addOption(new Option('--side <side>', 'whose prices they are').choices(['sale', 'purchase']).default('sale'))
    .option('--name <name>', 'what the price list is called')
    .option('--dry-run', 'show what is understood and what is not, and write nothing')
    .action(async (file: string, options: ImportOptions) => {
      const { importTariff } = await import('../usecases/tariffs/import-tariff.ts');
      await withDatabase({}, async ({ deps }) => {
        const report = await importTariff(deps, {
          file,
          companyKey: options.company,
          tariffKey: options.tariff,
          from: options.from ?? null,
          to: options.to ?? null,
          like: options.like ?? null,
          zonesFile: options.zones ?? null,
          side: options.side,
          name: options.name ?? null,
          isDryRun: options.dryRun ?? false,
        });
        const shown = understood(report, options);
        if (shown !== '') console.log(shown);
        if (report.problems.length === 0) return;
        console.error(refused(report));
        process.exitCode = 2;
      });
    });
}

function exportCommand(tariffs: Command, withDatabase: WithDatabase): void {
  tariffs
    .command('export')
    .description('write a price list into a file that import reads')
    .argument('<file>', '.xlsx for all of it, .csv for one sheet')
    .requiredOption('--company <key>', 'whose tariff')
    .requiredOption('--tariff <key>', 'the tariff')
    .option('--on <date>', 'the price list of this day and not of today, YYYY-MM-DD', isoDay)
    .addOption(new Option('--sheet <sheet>', 'of a .csv file').choices([...EXPORTED_SHEETS]).default('prices'))
    .action(async (file: string, options: ExportOptions) => {
      const { exportTariff } = await import('../usecases/tariffs/export-tariff.ts');
      await withDatabase({}, async ({ deps }) => {
        const { name, from, to } = await exportTariff(deps, {
          file,
          companyKey: options.company,
          tariffKey: options.tariff,
          on: options.on ?? null,
          sheet: options.sheet,
        });
        console.log(printable(`${name} (${period(from, to)}) is in ${file}.`));
      });
    });
}

function period(from: string, to: string | null): string {
  if (from === '' && to === null) return 'always';
  return [from && `from ${from}`, to && `until ${to}`].filter(Boolean).join(' ');
}

function listed(lines: readonly TariffLine[]): string {
  if (lines.length === 0) return 'There are no tariffs.';
  const head = ['COMPANY', 'TARIFF', 'FROM', 'UNTIL', 'ZONES', 'CONTRACTS', 'NAME'];
  const rows = lines.map((line) => [
    line.company,
    line.key,
    line.from || '-',
    line.to ?? '-',
    String(line.zones),
    line.contracts.join(',') || '-',
    printable(line.name),
  ]);
  return columns([head, ...rows]);
}

function checked(checks: readonly TariffCheck[]): string {
  if (checks.length === 0) return 'There are no price lists in force.';
  return checks
    .map(({ key, from, problems, holes }) => {
      const name = `${key}${from && ` from ${from}`}`;
      const lines = [...problems.map((text) => `  WRONG ${text}`), ...holes.map((text) => `  hole  ${text}`)];
      return [lines.length > 0 ? name : `${name}: nothing found`, ...lines].map(printable).join('\n');
    })
    .join('\n');
}

/** The parts of a file that were understood or left open, and the result. */
function understood(report: TariffImportReport, options: ImportOptions): string {
  const { understood: zones, notRead, notices, holes } = report;
  const sections = [
    zones.length > 0 ? columns([['HEADING', 'ZONE', 'PRICES', 'WHERE'], ...zones.map(zoneRow)]) : '',
    section(
      'Not read, outside the prices:',
      notRead.map((row) => located(row, row.text)),
    ),
    section('To know:', report.change === null ? [] : notices),
    section('No price:', holes),
    done(report, options),
  ];
  return printable(sections.filter(Boolean).join('\n\n'));
}

function section(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : [title, ...lines.map((line) => `  ${line}`)].join('\n');
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ');

function located(at: CellPlace, text: string): string {
  return oneLine(`${placeText(at)}: ${text}`);
}

function zoneRow(zone: UnderstoodZone): string[] {
  return [
    oneLine(zone.heading),
    oneLine(`${zone.code}${zone.isNew ? ' (new)' : ''}`),
    pricesOf(zone),
    oneLine(placesOf(zone.match)),
  ];
}

/** Returns `5.60 up to 1 kg … 31.00 up to 100 kg (8), then 3.20 each 10 kg`. */
function pricesOf({ transport }: UnderstoodZone): string {
  const { brackets, stepGrams, stepPrice, minimum } = transport;
  const ends = [brackets[0], brackets.length > 1 ? brackets.at(-1) : undefined].flatMap((bracket) =>
    bracket ? [`${bracket.price} up to ${kilograms(bracket.upToGrams)}`] : [],
  );
  const step = stepGrams === undefined ? '' : `, then ${stepPrice} each ${kilograms(stepGrams)}`;
  const least = minimum === undefined ? '' : `, at least ${minimum}`;
  return `${ends.join(' … ')} (${brackets.length})${step}${least}`;
}

function placesOf(match: ZoneMatch): string {
  return Object.entries(match)
    .map(([name, codes = []]) => `${name} ${codes.length > 8 ? `${codes.length} of them` : codes.join(' ')}`)
    .join(', ');
}

function done({ change }: TariffImportReport, { tariff, from = '', dryRun }: ImportOptions): string {
  if (change === null) return '';
  const what = `tariff ${tariff}${from && ` from ${from}`}`;
  return dryRun ? `Nothing was written. Without --dry-run: ${change} ${what}` : `${change.padEnd(9)} ${what}`;
}

function refused({ problems }: TariffImportReport): string {
  const lines = problems.map((problem) => `  ${located(problem, problem.message)}`);
  return printable(['Nothing was written. These cells cannot be taken as they are:', ...lines].join('\n'));
}
