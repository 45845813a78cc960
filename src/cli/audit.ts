import { type Command, InvalidArgumentError } from 'commander';
import type { Head } from '../usecases/audit/verify-audit.ts';
import { positiveNumber } from './arguments.ts';
import { columns, printable } from './table.ts';
import type { WithCore, WithDatabase } from './with-core.ts';

interface ListOptions {
  company?: string;
  actor?: string;
  operation?: string;
  target?: string;
  limit: number;
  json?: boolean;
}

const HEADINGS = ['ID', 'AT', 'COMPANY', 'ACTOR', 'CHANNEL', 'ADDRESS', 'OPERATION', 'OUTCOME', 'TARGETS'];
const SHOWN_TARGETS = 3;

/** Adds `smista audit …`: who changed something, and the proof that the log is whole. */
export function auditCommands(program: Command, withCore: WithCore, withDatabase: WithDatabase): void {
  const audit = program.command('audit').description('who changed something, when and from where');
  audit
    .command('list')
    .description('the newest rows of the audit log')
    .option('--company <key>', 'only of this company')
    .option('--actor <actor>', 'such as key:3, user:7, cli or board')
    .option('--operation <name>', 'such as postOrders or "key create"')
    .option('--target <target>', 'such as order:12')
    .option('--limit <n>', 'how many', positiveNumber, 50)
    .option('--json', 'for programs')
    .action(async ({ company, actor, operation, target, limit, json }: ListOptions) => {
      const { listAnyAudit } = await import('../usecases/audit/read-audit.ts');
      await withDatabase({}, async ({ deps }) => {
        const at = { from: null, until: null };
        const filter = { at, actor: actor ?? null, operation: operation ?? null, target: target ?? null };
        const rows = await listAnyAudit(deps, company ?? null, { filter, page: { limit, beforeId: null } });
        if (json) console.log(JSON.stringify(rows, null, 2));
        else if (rows.length === 0) console.log('There are no rows.');
        else console.log(columns([HEADINGS, ...rows.map((row) => cellsOf(row).map(printable))]));
      });
    });
  audit
    .command('verify')
    .description('walk the chain of the audit log and name its first broken link; ends with 1 when there is one')
    .option('--head <head>', 'what an earlier run printed: the chain must still have that link', headOf)
    .action(async ({ head: known }: { head?: Head }) => {
      const { verifyAudit } = await import('../usecases/audit/verify-audit.ts');
      await withCore({}, async ({ deps }) => {
        const { sealed, waiting, head, broken } = await verifyAudit(deps, { known: known ?? null });
        console.log(`${sealed} rows are sealed, ${waiting} wait.`);
        if (head) console.log(`Head: ${head.position}:${head.hash}`);
        if (broken === null) return console.log('The chain is whole.');
        console.error(`The chain is broken: ${broken}.`);
        process.exitCode = 1;
      });
    });
}

function headOf(text: string): Head {
  const [, position, hash] = /^(\d{1,15}):([\w-]{43})$/.exec(text) ?? [];
  if (position === undefined || hash === undefined) throw new InvalidArgumentError('It must be position:hash.');
  return { position: Number(position), hash };
}

interface Shown {
  id: number;
  at: Date;
  company: string | null;
  actor: string;
  channel: string;
  address: string | null;
  operation: string;
  targets: string[];
  targetCount: number;
  status: number | null;
  code: string | null;
}

function cellsOf(row: Shown): string[] {
  const { id, at, company, actor, channel, address, operation, targets, targetCount, status, code } = row;
  const rest = targetCount - SHOWN_TARGETS;
  return [
    String(id),
    at.toISOString(),
    company ?? '-',
    actor,
    channel,
    address ?? '-',
    operation,
    [status ?? '', code ?? (status === null ? 'ok' : '')].filter((part) => part !== '').join(' '),
    [...targets.slice(0, SHOWN_TARGETS), ...(rest > 0 ? [`and ${rest} more`] : [])].join(' '),
  ];
}
