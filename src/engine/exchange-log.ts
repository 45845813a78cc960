import { insertExchanges } from '../db/queries/insert-exchanges.ts';
import { MAX_RECORDED_BYTES, type RecordedExchange } from '../lib/http.ts';
import type { Deps } from './deps.ts';
import { packBodies } from './exchange-bodies.ts';
import { type Redact, redactor } from './redact.ts';

export interface ExchangeOwner {
  companyId: number;
  shipmentId: number | null;
  /** Null: a call to a marketplace. */
  contractId: number | null;
  attemptId: number | null;
  requestId: string;
  provider: string;
}

/** Size limit of writes and failures, which are few and serve as evidence for months. */
const EVIDENCE_BYTES = 8 * 1024;
/** Size limit of successful reads, which are many and deleted soon. It keeps the average of all exchanges below it too. */
const READ_BYTES = 2 * 1024;

/** The requests and answers of a call, and the secrets that must not be stored with them. */
export interface RecordedExchanges {
  exchanges: readonly RecordedExchange[];
  secrets: readonly string[];
}

/** Collects the exchanges of calls until it is known whether they brought anything. */
export class PendingExchanges {
  readonly #calls: { owner: ExchangeOwner; recorded: RecordedExchanges }[] = [];

  add(owner: ExchangeOwner, recorded: RecordedExchanges): void {
    this.#calls.push({ owner, recorded });
  }

  /** Stores them. Those that brought nothing new are stored without bodies, because they are most of all exchanges. */
  async store(deps: Pick<Deps, 'orm' | 'settings' | 'log'>, { hasNews }: { hasNews: boolean }): Promise<void> {
    await Promise.all(this.#calls.map(({ owner, recorded }) => keepExchanges(deps, owner, recorded, { hasNews })));
  }
}

/** Stores the exchanges of a call that is over: its outcome is valid even if they cannot be stored. */
export async function keepExchanges(
  deps: Pick<Deps, 'orm' | 'settings' | 'log'>,
  owner: ExchangeOwner,
  recorded: RecordedExchanges,
  options?: { hasNews: boolean },
): Promise<void> {
  await storeExchanges(deps, owner, recorded, options).catch((err) =>
    deps.log.error({ err, provider: owner.provider }, 'exchange not stored'),
  );
}

/** Stores the requests and answers of a call. Runs after every call, outside its transaction. */
export async function storeExchanges(
  deps: Pick<Deps, 'orm' | 'settings'>,
  owner: ExchangeOwner,
  { exchanges, secrets }: RecordedExchanges,
  { hasNews } = { hasNews: true },
): Promise<void> {
  const redact = redactor(secrets);
  const rows = exchanges.map((exchange) => {
    const { place, query } = split(exchange.url);
    return {
      ...owner,
      operation: exchange.operation,
      effect: exchange.effect,
      method: exchange.method,
      url: redact(place),
      status: exchange.status,
      error: exchange.error,
      durationMs: exchange.durationMs,
      startedAt: exchange.startedAt,
      bodies:
        deps.settings.exchangeBodyMs === 0 || (!hasNews && isGoodRead(exchange))
          ? null
          : packBodies(
              {
                request: redact([query, exchange.requestBody].filter(Boolean).join('\n')),
                response: responseOf(exchange, redact),
              },
              isGoodRead(exchange) ? READ_BYTES : EVIDENCE_BYTES,
            ),
    };
  });
  if (rows.length > 0) await insertExchanges(deps.orm, rows);
}

function isGoodRead({ effect, status, error }: RecordedExchange): boolean {
  return effect === 'read' && error === null && status !== null && status < 300;
}

function responseOf(exchange: RecordedExchange, redact: Redact): string {
  const isCut = exchange.responseBytes > MAX_RECORDED_BYTES;
  const text = redact(exchange.responseBody, { mayBeCut: isCut || exchange.error !== null });
  return isCut ? `${text}[cut after ${MAX_RECORDED_BYTES} of ${exchange.responseBytes} bytes]` : text;
}

/** Returns a URL without its query, which may name people, and without a login. */
function split(url: string): { place: string; query: string } {
  if (!URL.canParse(url)) return { place: url.split(/[?#]/)[0] ?? '', query: '' };
  const { origin, pathname, search } = new URL(url);
  return { place: `${origin}${pathname}`, query: search.slice(1) };
}
