import pg from 'pg';
import type { Log } from '../lib/log.ts';

const RECONNECT_MS = 1000;

export interface Subscriber {
  onMessage(payload: string): void;
  /** Called when messages may have been missed; the connection listens again. */
  onGap(): void;
}

/** Receives PostgreSQL's NOTIFY messages over one connection, for any number of channels. */
export class Notifications {
  readonly #databaseUrl: string;
  readonly #log: Log;
  readonly #subscribers = new Map<string, Subscriber>();
  #client: pg.Client | undefined;
  #reconnect: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: { databaseUrl: string; log: Log }) {
    this.#databaseUrl = options.databaseUrl;
    this.#log = options.log;
  }

  /** Before the start. */
  subscribe(channel: string, subscriber: Subscriber): void {
    this.#subscribers.set(channel, subscriber);
  }

  /** False while messages may be missed. */
  get isListening(): boolean {
    return this.#client !== undefined;
  }

  async start(): Promise<void> {
    const client = new pg.Client({
      connectionString: this.#databaseUrl,
      keepAlive: true,
      application_name: 'smista-listen',
    });
    client.on('error', (err) => this.#lost(client, err));
    client.on('end', () => this.#lost(client));
    client.on('notification', ({ channel, payload = '' }) => this.#subscribers.get(channel)?.onMessage(payload));
    await client.connect();
    for (const channel of this.#subscribers.keys()) await client.query(`listen ${channel}`);
    if (this.#closed) return client.end(); // stopped while it connected
    this.#client = client;
    for (const subscriber of this.#subscribers.values()) subscriber.onGap();
  }

  async stop(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#reconnect);
    await this.#client?.end();
  }

  #lost(client: pg.Client, err?: Error): void {
    if (this.#closed || client !== this.#client) return;
    this.#client = undefined;
    this.#log.warn({ err }, 'the connection that listens to the database was lost');
    this.#scheduleReconnect();
  }

  #scheduleReconnect(): void {
    this.#reconnect = setTimeout(() => {
      this.start().catch(() => this.#scheduleReconnect());
    }, RECONNECT_MS);
  }
}
