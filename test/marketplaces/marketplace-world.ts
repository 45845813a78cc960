import { afterAll, beforeAll } from 'vitest';
import type { SandboxPartner, SandboxWorld } from '../../sandbox/src/partner.ts';
import { type Sandbox, startSandbox } from '../../sandbox/src/server.ts';
import { parseJson } from '../../src/lib/parse-json.ts';
import type { ImportedOrder, Marketplace, ShipmentConfirmation } from '../../src/marketplaces/adapter.ts';
import { type SandboxClient, sandboxClient } from '../support/sandbox-client.ts';
import { type Caller, callerOf } from './call-marketplace.ts';

type Json = Record<string, unknown>;

/** A running sandbox of one marketplace, and the adapter that speaks to it. */
export interface MarketplaceWorld extends SandboxClient {
  url(): string;
  caller(account?: Json): Caller;
  /** Puts an order into the books, exactly as given, and returns its id. */
  seed(order: Json): Promise<string>;
  /** Places an ordinary order with changes, and reads it as the adapter does. */
  place(changes?: Json, account?: Json): Promise<ImportedOrder>;
  /** Sends one request below `url`; `json` is null without a body, and the text where the answer is not JSON. */
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
}

export interface Answer {
  status: number;
  json: unknown;
}

export interface WorldOptions {
  marketplace: Marketplace;
  /** Below the sandbox; absent: the marketplace's own id. */
  path?: string;
  account(url: string): Json;
  /** An ordinary order, as the platform shows it. */
  order: Json;
  /** The field of a seeded order that holds its id. */
  idField: string;
}

/** Starts the sandbox of one partner for the tests of one file. */
export function useSandbox(partner: (world: SandboxWorld) => SandboxPartner): () => Sandbox {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await startSandbox({ host: '127.0.0.1', port: 0, partners: [partner] });
  });
  afterAll(() => sandbox.close());
  return () => sandbox;
}

export function marketplaceWorld(sandbox: () => Sandbox, options: WorldOptions): MarketplaceWorld {
  const { marketplace, path = marketplace.id, order, idField } = options;
  const client = () => sandboxClient(sandbox(), marketplace.id);
  const world: MarketplaceWorld = {
    url: () => `${sandbox().url}/${path}`,
    caller: (more = {}) => callerOf(marketplace, { account: { ...options.account(world.url()), ...more } }),
    async seed(given) {
      const { json } = await world.send('POST', '/_seed/orders', given);
      return String((json as Json)[idField]);
    },
    async place(changes = {}, account = {}) {
      const placed = await world.caller(account).read(await world.seed({ ...order, ...changes }));
      if (!placed) throw new Error('The order is not there');
      return placed;
    },
    async send(method, below, body, headers = {}) {
      const answer = await fetch(`${world.url()}${below}`, {
        method,
        headers: { 'content-type': 'application/json', ...headers },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      const text = await answer.text();
      const json = parseJson(text);
      return { status: answer.status, json: json === undefined ? text || null : json };
    },
    fault: (operation, fault) => client().fault(operation, fault),
    advance: (hours) => client().advance(hours),
    ledger: (reference) => client().ledger(reference),
  };
  return world;
}

/** A parcel as every adapter is told of it. */
export const PARCEL = {
  trackingNumber: 'RM512345678',
  carrierId: 'gls-it',
  carrierName: 'GLS Italy',
  trackingUrl: 'https://track.example/gls/RM512345678',
  shippedOn: '2026-11-21',
};

/** Returns the shipment of a whole order, unless told otherwise. */
export function confirmationOf(order: ImportedOrder, more: Partial<ShipmentConfirmation> = {}): ShipmentConfirmation {
  return {
    externalOrderId: order.externalId,
    lines: order.lines.map(({ externalLineId, quantity }) => ({ externalLineId, quantity })),
    ...PARCEL,
    ...more,
  };
}
