import type { CarrierRegistry } from '../carriers/adapter.ts';
import type { Orm } from '../db/orm.ts';
import type { BudgetStore } from '../lib/budgets.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { PrinterAddressRules } from '../lib/printer-address.ts';
import type { Resolve } from '../lib/resolve-name.ts';
import type { TokenStore } from '../lib/tokens.ts';
import type { MarketplaceRegistry } from '../marketplaces/adapter.ts';
import type { QueueSystem } from '../queue/queue-system.ts';
import type { DocumentStore } from './document-store.ts';
import type { PriceBooks } from './price-book.ts';
import type { Vault } from './vault.ts';

/** The dependencies that all use cases share. `core.ts` builds them. */
export interface Deps {
  orm: Orm;
  queues: Pick<QueueSystem, 'add' | 'revive'>;
  carriers: CarrierRegistry;
  marketplaces: MarketplaceRegistry;
  vault: Vault;
  tokens: TokenStore;
  budgets: BudgetStore;
  priceBooks: PriceBooks;
  documents: DocumentStore;
  /** Resolves the host names of event endpoints. */
  resolve: Resolve;
  log: Log;
  now: Clock;
  settings: Settings;
}

export interface Settings {
  trackingIntervalMs: number;
  trackingExpireMs: number;
  /** How long tracking may take to show the decision about a held parcel. */
  heldConfirmMs: number;
  importIntervalMs: number;
  /** Maximum duration of a call to a partner. After that the worker counts as lost and another run takes the row over. */
  callLimitMs: number;
  /** Overrides the carriers' own settling times, for simulated carriers. */
  settlingMs: number | null;
  retentionMs: number;
  /** Retention of the bodies of exchanges; 0: never stored. */
  exchangeBodyMs: number;
  /** Retention of documents; null: for ever. */
  documentMs: number | null;
  /** How long after its end an order holds personal data; null: for ever. */
  personalDataMs: number | null;
  /** Lets event endpoints use http and private addresses. */
  eventsAllowPrivate: boolean;
  /** Time limit of one delivery of an event. */
  eventTimeoutMs: number;
  printers: PrinterAddressRules;
  /** Runs to doubtful event endpoints at a time, of all companies. */
  doubtfulRuns: number;
  /** Base URL of the api for clients, without a trailing slash. */
  publicUrl: string;
}

/** The input of every job. */
export interface JobContext {
  requestId: string;
  signal: AbortSignal;
  isLastTry: boolean;
  /** Releases the permit after the partner's answer, so that the next job may call while this one writes to the database. */
  endTurn(): void;
}
