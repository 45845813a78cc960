import type { CarrierRegistry } from '../carriers/adapter.ts';
import type { Orm } from '../db/orm.ts';
import type { BudgetStore } from '../lib/budgets.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { Resolve } from '../lib/resolve-name.ts';
import type { TokenStore } from '../lib/tokens.ts';
import type { MarketplaceRegistry } from '../marketplaces/adapter.ts';
import type { QueueSystem } from '../queue/queue-system.ts';
import type { DocumentStore } from './document-store.ts';
import type { PriceBooks } from './price-book.ts';
import type { Vault } from './vault.ts';

/** What the stories of the product share. Built once in `core.ts`. */
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
  /** Looks up the names of event endpoints. */
  resolve: Resolve;
  log: Log;
  now: Clock;
  settings: Settings;
}

export interface Settings {
  trackingIntervalMs: number;
  trackingExpireMs: number;
  /** How long a decision about a held parcel may wait for tracking to show it. */
  heldConfirmMs: number;
  importIntervalMs: number;
  /** How long a run may be inside its call to a partner; after that its row has lost its worker and is taken over. */
  callLimitMs: number;
  /** Instead of what the carriers say, for pretend ones. */
  settlingMs: number | null;
  retentionMs: number;
  /** How long bodies of exchanges are kept; 0: they are never stored. */
  exchangeBodyMs: number;
  /** How long documents are kept; null: for ever. */
  documentMs: number | null;
  /** Events may go to http and to addresses that are not public. */
  eventsAllowPrivate: boolean;
  /** How long one delivery of an event may take. */
  eventTimeoutMs: number;
  /** Address of the api as clients see it, without a slash at the end. */
  publicUrl: string;
}

/** What every job brings along. */
export interface JobContext {
  requestId: string;
  signal: AbortSignal;
  isLastTry: boolean;
  /** The partner has answered, and the rest is between us and the database: the next job may call it meanwhile. */
  endTurn(): void;
}
