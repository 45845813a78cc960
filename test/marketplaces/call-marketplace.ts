import { memoryBudgets } from '../../src/lib/budgets.ts';
import { callPartner } from '../../src/lib/call-partner.ts';
import { IntegrationError } from '../../src/lib/errors.ts';
import type { RecordedExchange } from '../../src/lib/http.ts';
import { createLog } from '../../src/lib/log.ts';
import { memoryTokens } from '../../src/lib/tokens.ts';
import type {
  ConfirmedShipment,
  ImportedOrder,
  Marketplace,
  OrderWindow,
  ShipmentConfirmation,
  WebhookDelivery,
  WebhookHint,
} from '../../src/marketplaces/adapter.ts';

/** A marketplace as the workers see it: through `callPartner`, with everything it did written down. */
export interface Caller {
  verify(): Promise<void>;
  detect(): Promise<Record<string, unknown>>;
  /** Every page until the last. */
  listAll(window: Omit<OrderWindow, 'page'>): Promise<ImportedOrder[]>;
  /** Of all the pages that were listed, by id. */
  unreadable(): string[];
  read(externalId: string): Promise<ImportedOrder | null>;
  hint(delivery: WebhookDelivery): Promise<WebhookHint | null>;
  confirm(confirmation: ShipmentConfirmation, detected?: Record<string, unknown>): Promise<ConfirmedShipment>;
  exchanges: RecordedExchange[];
  /** Names of the operations that may have changed something. */
  writes(): string[];
  logged(): string;
}

export interface CallerOptions {
  account: unknown;
  signal?: AbortSignal;
  now?: () => Date;
}

const MAX_PAGES = 50;

export function callerOf(marketplace: Marketplace, options: CallerOptions): Caller {
  const { account, signal = new AbortController().signal, now = () => new Date() } = options;
  const lines: string[] = [];
  const exchanges: RecordedExchange[] = [];
  const log = createLog({ level: 'trace', destination: { write: (line) => void lines.push(line) } });
  const unreadable: string[] = [];
  const record = (exchange: RecordedExchange) => void exchanges.push(exchange);
  const call = { account, signal, log, now, record, tokens: memoryTokens(), budgets: memoryBudgets() };
  return {
    verify: () => callPartner(marketplace, call, (context) => marketplace.verifyAccount(context)),
    detect: () => callPartner(marketplace, call, async (context) => (await marketplace.detect?.(context)) ?? {}),
    async listAll(window) {
      const orders: ImportedOrder[] = [];
      let page: string | null = null;
      for (let read = 0; read < MAX_PAGES; read++) {
        const asked: OrderWindow = { ...window, page };
        const answer = await callPartner(marketplace, call, (context) => marketplace.listOrders(context, asked));
        orders.push(...answer.orders);
        unreadable.push(...answer.unreadable.map(({ externalId }) => externalId));
        page = answer.next;
        if (page === null) return orders;
      }
      throw new Error(`No last page within ${MAX_PAGES}`);
    },
    unreadable: () => unreadable,
    read: (externalId) => callPartner(marketplace, call, (context) => marketplace.readOrder(context, externalId)),
    hint: (delivery) =>
      callPartner(marketplace, call, async (context) => (await marketplace.webhook?.read(context, delivery)) ?? null),
    confirm: (confirmation, detected = {}) =>
      callPartner(marketplace, call, (context) => marketplace.confirmShipment(context, { confirmation, detected })),
    exchanges,
    writes: () => exchanges.filter(({ effect }) => effect === 'write').map(({ operation }) => operation),
    logged: () => lines.join(''),
  };
}

/** The failure of a call that must fail. */
export async function failureOf(work: Promise<unknown>): Promise<IntegrationError> {
  const result = await work.then(
    () => 'it succeeded',
    (error: unknown) => error,
  );
  if (result instanceof IntegrationError) return result;
  throw new Error('An IntegrationError was expected', { cause: result });
}
