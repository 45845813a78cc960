import type { Command } from 'commander';
import type { SearchHit } from '../usecases/search/search.ts';
import { positiveNumber } from './arguments.ts';
import { columns, printable } from './table.ts';
import type { WithDatabase } from './with-core.ts';

/** Adds `smista find <text>`, which searches all companies. */
export function findCommand(program: Command, withDatabase: WithDatabase): void {
  program
    .command('find')
    .description('orders and shipments by a number, name, company, e-mail, phone, postal code or SKU; best first')
    .argument('<text...>', 'what is known')
    .option('--limit <n>', 'how many of each company', positiveNumber, 20)
    .option('--json', 'for programs')
    .action(async (words: string[], { limit, json }: { limit: number; json?: boolean }) => {
      const { searchCompanies } = await import('../usecases/search/search.ts');
      await withDatabase({}, async ({ deps }) => {
        const hits = await searchCompanies(deps, { text: words.join(' '), limit });
        console.log(json ? JSON.stringify(hits, null, 2) : shown(hits));
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
