import type { Notifications } from './notifications.ts';

/** Told by triggers, with the name of the table. */
export const ROWS_CHANNEL = 'smista_rows';

const MAX_ROWS = 10_000;
/** Should a notification ever be lost without the connection being lost too. */
const MAX_AGE_MS = 60_000;

/** Rows that hardly ever change and that every request needs, by key; kept until PostgreSQL says that the table changed. */
export class RowCache<Key, Value> {
  readonly #read: (key: Key) => Promise<Value | null>;
  readonly #changes: RowChanges;
  readonly #kept = new Map<Key, { value: Value; until: number }>();
  /** Raised by every change: what was read before it is not kept after it. */
  #generation = 0;

  constructor(options: { table: string; changes: RowChanges; read: (key: Key) => Promise<Value | null> }) {
    this.#read = options.read;
    this.#changes = options.changes;
    options.changes.onChange(options.table, () => {
      this.#generation += 1;
      this.#kept.clear();
    });
  }

  /** What is not there is not remembered. */
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

/** Which tables changed, as far as anybody asked. */
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
