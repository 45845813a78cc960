import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Side } from '../domain/pricing/quote-input.ts';
import type { ShippingRule } from '../domain/shipping-rules.ts';
import { centsToString } from '../lib/decimal.ts';
import type { ContractShift, ShipmentSum, TrialResult } from '../usecases/rules/try-rules.ts';
import { columns } from './table.ts';
import type { WithDatabase } from './with-core.ts';

const DAY_MS = 86_400_000;
const BAR_WIDTH = 40;
const HEAD = ['CONTRACT', 'SHIPMENTS', 'THEN', 'EUROS', 'THEN', 'DAYS', 'THEN'];

interface TryOptions {
  company: string;
  last: number;
  file?: string;
  side: Side;
}

/** Adds `smista rules …`: the choice of carriers. */
export function ruleCommands(program: Command, withDatabase: WithDatabase): void {
  const rules = program.command('rules').description('which contract an order gets');
  rules
    .command('try')
    .description('replay rules over past shipments: carriers, euros without VAT and days that would have shifted')
    .requiredOption('--company <key>', 'whose shipments')
    .option('--last <days>', 'how far back, such as 30d', days, 30)
    .option('--file <file>', 'a YAML file with `rules:`, as in the apply file; without it, the rules that are in force')
    .addOption(new Option('--side <side>', 'whose prices').choices(['sale', 'purchase']).default('purchase'))
    .action(async ({ company, last, file, side }: TryOptions) => {
      const { tryRules } = await import('../usecases/rules/try-rules.ts');
      const tried = file === undefined ? null : await readRuleFile(file);
      await withDatabase({}, async ({ deps }) => {
        const to = deps.now();
        const from = new Date(to.getTime() - last * DAY_MS);
        console.log(shown(await tryRules(deps, { companyKey: company, rules: tried, from, to, side })));
      });
    });
}

function days(text: string): number {
  const [, count] = /^(\d{1,4})d?$/.exec(text) ?? [];
  if (!count || Number(count) < 1) throw new InvalidArgumentError('It must be a number of days such as 30d.');
  return Number(count);
}

async function readRuleFile(name: string): Promise<ShippingRule[]> {
  const { z } = await import('zod');
  const { ShippingRules } = await import('../domain/shipping-rules.ts');
  const { DeclarationError } = await import('../usecases/setup/declaration-faults.ts');
  const { readDeclarationFile } = await import('./declaration-file.ts');
  const file = readDeclarationFile(name);
  const parsed = z.looseObject({ rules: ShippingRules }).safeParse(file.declared);
  if (parsed.success) return parsed.data.rules;
  const faults = parsed.error.issues.map(({ path, message }) => ({ path: path as (string | number)[], message }));
  throw file.explain(new DeclarationError(faults));
}

function shown({ contracts, total, rules, shifted }: TrialResult): string {
  if (total.now.shipments === 0) return 'There are no shipments in that time.';
  const widest = Math.max(...contracts.flatMap(({ now, then }) => [now.shipments, then.shipments]));
  const bar = ({ shipments }: ShipmentSum) => '█'.repeat(Math.round((shipments / widest) * BAR_WIDTH));
  const unpriced = Math.max(total.now.unpriced, total.then.unpriced);
  return [
    columns([HEAD, ...contracts.map(cells), cells({ ...total, contract: 'all' })]),
    '',
    ...contracts.flatMap(({ contract, now, then }) => [
      `${contract.padEnd(16)} now  ${bar(now)} ${now.shipments}`,
      `${''.padEnd(16)} then ${bar(then)} ${then.shipments}`,
    ]),
    '',
    columns(rules.map(({ key, shipments }) => [key === '' ? 'no rule matched' : `rule ${key}`, String(shipments)])),
    '',
    `${shifted} of ${total.now.shipments} shipments would have left under another contract.`,
    ...(unpriced > 0 ? [`Up to ${unpriced} shipments have no price, which the euros lack.`] : []),
  ].join('\n');
}

function cells({ contract, now, then }: ContractShift): string[] {
  const daysText = ({ days: mean }: ShipmentSum): string => (mean === null ? '–' : mean.toFixed(1));
  return [
    contract,
    String(now.shipments),
    String(then.shipments),
    centsToString(now.cents),
    centsToString(then.cents),
    daysText(now),
    daysText(then),
  ];
}
