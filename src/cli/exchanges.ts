import type { Command } from 'commander';
import type { ExchangeHead, ExchangeView } from '../usecases/exchanges/read-exchanges.ts';
import { positiveNumber } from './arguments.ts';
import { recordingCommands } from './recordings.ts';
import { columns, printable } from './table.ts';
import type { WithCore, WithDatabase } from './with-core.ts';

interface ListOptions {
  shipment?: number;
  order?: number;
  provider?: string;
  failed?: boolean;
  limit: number;
  json?: boolean;
}

const NOT_KEPT = '(not kept any more)';

/** Adds `smista exchanges …`: requests and answers on the wire, of all companies. */
export function exchangeCommands(program: Command, withCore: WithCore, withDatabase: WithDatabase): void {
  const exchanges = program.command('exchanges').description('what was said with carriers and marketplaces');
  exchanges
    .command('list')
    .description('requests and how they ended, newest first')
    .option('--shipment <id>', 'only about this shipment', positiveNumber)
    .option('--order <id>', 'only about the shipments of this order', positiveNumber)
    .option('--provider <code>', 'only with the carrier or marketplace of this code')
    .option('--failed', 'only what broke, was answered with an error, or belongs to an attempt that did not succeed')
    .option('--limit <n>', 'how many', positiveNumber, 50)
    .option('--json', 'for programs')
    .action(async (options: ListOptions) => {
      const { findExchanges } = await import('../usecases/exchanges/read-exchanges.ts');
      await withDatabase({}, async ({ deps }) => {
        const found = await findExchanges(deps, {
          shipmentId: options.shipment ?? null,
          orderId: options.order ?? null,
          provider: options.provider ?? null,
          isFailed: options.failed ?? false,
          limit: options.limit,
          beforeId: null,
        });
        console.log(options.json ? json(found.map(headOf)) : listed(found));
      });
    });
  exchanges
    .command('show')
    .description('one request and its answer, without credentials')
    .argument('<id>', 'as in exchanges list', positiveNumber)
    .option('--json', 'for programs')
    .action(async (id: number, options: { json?: boolean }) => {
      const { readExchange } = await import('../usecases/exchanges/read-exchanges.ts');
      await withDatabase({}, async ({ deps }) => {
        const view = await readExchange(deps, { companyId: null, exchangeId: id });
        console.log(
          options.json
            ? json({ ...headOf(view.exchange), request: null, response: null, ...view.bodies })
            : shown(view),
        );
      });
    });
  recordingCommands(exchanges, withCore);
}

function json(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

/** Fields that both commands print, in their order. */
function headOf(exchange: ExchangeHead) {
  return {
    id: exchange.id,
    startedAt: exchange.startedAt.toISOString(),
    companyId: exchange.companyId,
    shipmentId: exchange.shipmentId,
    attemptId: exchange.attemptId,
    requestId: exchange.requestId,
    provider: exchange.provider,
    operation: exchange.operation,
    effect: exchange.effect,
    method: exchange.method,
    url: exchange.url,
    status: exchange.status,
    error: exchange.error,
    durationMs: exchange.durationMs,
  };
}

function listed(exchanges: readonly ExchangeHead[]): string {
  if (exchanges.length === 0) return 'There are no such exchanges.';
  const head = ['ID', 'STARTED', 'PARTNER', 'OPERATION', 'EFFECT', 'ENDED', 'MS', 'SHIPMENT', 'ATTEMPT', 'REQUEST'];
  const rows = exchanges.map((exchange) => [
    String(exchange.id),
    exchange.startedAt.toISOString(),
    exchange.provider,
    exchange.operation,
    exchange.effect,
    endOf(exchange),
    String(exchange.durationMs),
    String(exchange.shipmentId ?? '-'),
    String(exchange.attemptId ?? '-'),
    exchange.requestId,
  ]);
  return columns([head, ...rows]);
}

/** Returns `200`, `ECONNREFUSED`, or `200 answer-too-large` when an answer began and broke. */
function endOf({ status, error }: ExchangeHead): string {
  return [status, error].filter((part) => part !== null).join(' ');
}

function shown({ exchange, bodies }: ExchangeView): string {
  const facts = Object.entries(headOf(exchange)).map(([name, value]) => [name, String(value ?? '-')]);
  const { request, response } = bodies ?? { request: NOT_KEPT, response: NOT_KEPT };
  return [columns(facts), `\n--- request\n${printable(request)}`, `\n--- response\n${printable(response)}`].join('\n');
}
