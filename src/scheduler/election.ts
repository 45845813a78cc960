import pg from 'pg';
import type { Log } from '../lib/log.ts';

/** Two integers that spell the purpose of the lock: "smis", "cron". */
const LOCK = [0x736d6973, 0x63726f6e];

/**
 * Elects one leader, which fires the crons: the holder of one PostgreSQL advisory lock. The lock belongs to a
 * connection, so it is free the moment its holder dies. The leader checks over that very connection before each tick,
 * so one that was cut off does not fire.
 */
export class Election {
  readonly #databaseUrl: string;
  readonly #log: Log;
  #client: pg.Client | undefined;
  #isHolding = false;
  #asking: Promise<boolean> | undefined;

  constructor(options: { databaseUrl: string; log: Log }) {
    this.#databaseUrl = options.databaseUrl;
    this.#log = options.log;
  }

  async start(): Promise<void> {
    await this.isLeader();
  }

  async stop(): Promise<void> {
    await this.#asking?.catch(() => undefined);
    this.#isHolding = false;
    const client = this.#client;
    this.#client = undefined;
    await client?.end().catch(() => undefined);
  }

  /** True: it held the lock when it last asked, a tick ago at most. */
  get isHolding(): boolean {
    return this.#isHolding;
  }

  /** Returns true only when this process holds the lock now. */
  async isLeader(): Promise<boolean> {
    this.#asking ??= this.#ask()
      .catch(async (err) => {
        // After any error, this connection is no longer trusted with the lock.
        const client = this.#client;
        this.#client = undefined;
        this.#isHolding = false;
        await client?.end().catch(() => undefined);
        this.#log.warn({ err }, 'scheduler lost its connection');
        return false;
      })
      .finally(() => {
        this.#asking = undefined;
      });
    return this.#asking;
  }

  async #ask(): Promise<boolean> {
    const client = await this.#connect();
    if (this.#isHolding) {
      await client.query('select 1');
      return true;
    }
    const { rows } = await client.query<{ held: boolean }>('select pg_try_advisory_lock($1, $2) as held', LOCK);
    this.#isHolding = rows[0]?.held ?? false;
    if (this.#isHolding) this.#log.info('leader elected');
    return this.#isHolding;
  }

  async #connect(): Promise<pg.Client> {
    if (this.#client) return this.#client;
    const client = new pg.Client({
      connectionString: this.#databaseUrl,
      keepAlive: true,
      application_name: 'smista-scheduler',
      query_timeout: 10_000,
    });
    const lost = (): void => {
      if (this.#client !== client) return;
      this.#client = undefined;
      this.#isHolding = false;
    };
    client.on('error', lost);
    client.on('end', lost);
    await client.connect();
    this.#client = client;
    return client;
  }
}
