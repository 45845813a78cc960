import type { Notifications } from './notifications.ts';

/** Triggers notify it, with the name of the table. */
export const ROWS_CHANNEL = 'smista_rows';

const MAX_ROWS = 10_000;
/** Milliseconds. Covers a lost notification on a live connection. */
const MAX_AGE_MS = 60_000;

/** Caches rows that rarely change and that every request needs, until PostgreSQL reports a change of the table. */
export class RowCache<Key, Value> {
  readonly #read: (key: Key) => Promise<Value | null>;
  readonly #changes: RowChanges;
  readonly #kept = new Map<Key, { value: Value; until: number }>();
  /** Raised by every change: a row read before it is not cached after it. */
  #generation = 0;

  constructor(options: { table: string; changes: RowChanges; read: (key: Key) => Promise<Value | null> }) {
    this.#read = options.read;
    this.#changes = options.changes;
    options.changes.onChange(options.table, () => {
      this.#generation += 1;
      this.#kept.clear();
    });
  }

  /** A missing row is not cached. */
  async get(key: Key): Promise<Value | null> {
    const known = this.#kept.get(key);
    if (known && known.until > Date.now() && this.#changes.isListening) return known.value;
    const generation = this.#generation;
    const value = await this.#read(key);
    if (value === null || generation !== this.#generation || !this.#changes.isListening) return value;
    if (this.#kept.size >= MAX_ROWS) this.#kept.clear();
    this.#kept.set(key, { value, until: Date.now() + MAX_AGE_MS });
    return value;
  }
}

/** Tells listeners which table changed; tells all of them when messages may have been missed. */
export class RowChanges {
  readonly #notifications: Notifications;
  readonly #listeners = new Map<string, (() => void)[]>();

  constructor(notifications: Notifications) {
    this.#notifications = notifications;
    notifications.subscribe(ROWS_CHANNEL, {
      onMessage: (table) => this.#tell(this.#listeners.get(table) ?? []),
      onGap: () => this.#tell([...this.#listeners.values()].flat()),
    });
  }

  get isListening(): boolean {
    return this.#notifications.isListening;
  }

  onChange(table: string, forget: () => void): void {
    this.#listeners.set(table, [...(this.#listeners.get(table) ?? []), forget]);
  }

  #tell(listeners: readonly (() => void)[]): void {
    for (const forget of listeners) forget();
  }
}
