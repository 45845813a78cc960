import type { Command } from 'commander';
import { Company } from '../db/entities/index.ts';
import { systemEm } from '../db/orm.ts';
import { type SearchHit, search } from '../usecases/search/search.ts';
import { positiveNumber } from './arguments.ts';
import { columns, printable } from './table.ts';
import type { WithCore } from './with-core.ts';

/** Adds `smista find <text>`, which searches all companies. */
export function findCommand(program: Command, withCore: WithCore): void {
  program
    .command('find')
    .description('orders and shipments by a number, name, company, e-mail, phone, postal code or SKU; best first')
    .argument('<text...>', 'what is known')
    .option('--limit <n>', 'how many of each company', positiveNumber, 20)
    .option('--json', 'for programs')
    .action(async (words: string[], { limit, json }: { limit: number; json?: boolean }) => {
      await withCore({}, async ({ deps }) => {
        const companies = await systemEm(deps.orm).find(Company, {}, { orderBy: { id: 'asc' } });
        const found = await Promise.all(
          companies.map(async ({ id, key }) => {
            const hits = await search(deps, { companyId: id, text: words.join(' '), limit });
            return hits.map((hit) => ({ company: key, ...hit }));
          }),
        );
        const hits = found.flat();
        console.log(json ? JSON.stringify(hits, null, 2) : shown(hits));
        if (hits.length === 0) process.exitCode = 1;
      });
    });
}

function shown(hits: readonly (SearchHit & { company: string })[]): string {
  if (hits.length === 0) return 'Nothing was found.';
  const head = ['COMPANY', 'TYPE', 'ID', 'ORDER', 'NUMBER', 'STATUS', 'MATCH', 'FIELD', 'VALUE'];
  return columns([
    head,
    ...hits.map((hit) =>
      [
        hit.company,
        hit.type,
        String(hit.id),
        String(hit.orderId),
        hit.orderNumber,
        hit.status,
        hit.match,
        hit.matched,
        hit.value,
      ].map(printable),
    ),
  ]);
}
