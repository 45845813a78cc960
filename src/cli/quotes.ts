import { writeFileSync } from 'node:fs';
import { type Command, Option } from 'commander';
import { type PriceDifference, percentDifference } from '../domain/pricing/price-difference.ts';
import type { Side } from '../domain/pricing/quote-input.ts';
import { centsToString } from '../lib/decimal.ts';
import type { WhatIf } from '../usecases/quotes/what-if.ts';
import { isoDay } from './arguments.ts';
import { columns } from './table.ts';
import type { WithDatabase } from './with-core.ts';

interface WhatIfOptions {
  company: string;
  from: string;
  to: string;
  contract: string;
  service?: string;
  side: Side;
  pricesOf?: string;
  csv?: string;
}

const HEAD = ['month', 'zone', 'shipments', 'now', 'then', 'difference', 'percent'];

/** Adds `smista quotes …`: questions about prices. */
export function quoteCommands(program: Command, withDatabase: WithDatabase): void {
  const quotes = program.command('quotes').description('what shipments cost');
  quotes
    .command('what-if')
    .description('price past shipments on another contract, and show the difference by zone and month, without VAT')
    .requiredOption('--company <key>', 'whose shipments')
    .requiredOption('--from <date>', 'first day, YYYY-MM-DD', isoDay)
    .requiredOption('--to <date>', 'last day, YYYY-MM-DD', isoDay)
    .requiredOption('--contract <key>', 'the contract to price them on')
    .option('--service <code>', 'one of its services that has a tariff of its own')
    .addOption(new Option('--side <side>', 'whose prices').choices(['sale', 'purchase']).default('sale'))
    .option('--prices-of <date>', 'its prices of this day, and not of the day of each shipment', isoDay)
    .option('--csv <file>', 'write the rows there too')
    .action(async (options: WhatIfOptions) => {
      const { whatIf } = await import('../usecases/quotes/what-if.ts');
      await withDatabase({}, async ({ deps }) => {
        const found = await whatIf(deps, {
          companyKey: options.company,
          from: options.from,
          to: options.to,
          contractKey: options.contract,
          service: options.service ?? null,
          side: options.side,
          pricesOf: options.pricesOf ?? null,
        });
        if (options.csv) writeFileSync(options.csv, await csv(found.rows));
        console.log(shown(found));
      });
    });
}

async function csv(rows: readonly PriceDifference[]): Promise<string> {
  const { stringify } = await import('csv-stringify/sync');
  // A spreadsheet would run a zone's name that begins like a formula.
  const harmless = (row: PriceDifference) => ({ ...row, zone: row.zone.replace(/^(?=[=+\-@\t\r])/, "'") });
  return stringify([HEAD, ...rows.map((row) => cells(harmless(row)))]);
}

function cells(row: PriceDifference): string[] {
  const amounts = [row.nowCents, row.otherCents, row.otherCents - row.nowCents].map(centsToString);
  return [row.month, row.zone, String(row.shipments), ...amounts, percentDifference(row)];
}

function shown({ rows, total, left }: WhatIf): string {
  if (rows.length === 0 && left.length === 0) return 'There are no shipments in that time.';
  const table = columns([
    HEAD.map((name) => name.toUpperCase()),
    ...rows.map(cells),
    cells({ ...total, month: 'all' }),
  ]);
  if (left.length === 0) return table;
  const reasons = left.map(({ reason, shipments }) => [`  ${shipments}`, reason]);
  return `${table}\n\nNot compared:\n${columns(reasons)}`;
}
