import type { FaultCounts } from '../sandbox/src/faults.ts';
import type { FaultName, LedgerEntry, PickupEntry } from '../sandbox/src/partner.ts';

/** Every way a pretend partner can fail, the nasty ones more often. */
const FAULTS: readonly FaultName[] = [
  'accept-then-hang',
  'accept-then-hang',
  'accept-then-500',
  'accept-then-500',
  'reset',
  'truncated',
  'malformed',
  'html',
  'empty',
  'wrong-encoding',
  'proxy-200',
  'proxy-202',
  'proxy-401',
  'proxy-403',
  'proxy-404',
  'status-500',
  'status-503',
  'status-429',
  'delay',
  'huge',
];
/** Partners that show in their answers or look-ups that they did something twice; with the others it cannot be known. */
const SHOWS_DOUBLES = ['gls-it', 'inpost-it', 'amazon', 'ebay', 'kaufland', 'magento', 'shopify', 'mirakl'];

export type Ledgers = Record<string, LedgerEntry[]>;
export type PickupBooks = Record<string, PickupEntry[]>;

interface Plan {
  seed: number;
  delayMs: number;
  /** Share of the calls that fail, by partner. */
  rates: Record<string, number>;
}

/** Switches faults of the pretend partners on and off, and reads their books. */
export class SandboxJudge {
  readonly #url: string;
  /** The slowest answer of the control side: how far the sandbox was behind with its work. */
  slowestMs = 0;

  constructor(sandboxUrl: string) {
    this.#url = `${sandboxUrl}/_control`;
  }

  async startFaults({ seed, delayMs, rates }: Plan): Promise<void> {
    for (const [partner, rate] of Object.entries(rates)) {
      const faults = SHOWS_DOUBLES.includes(partner) ? [...FAULTS, 'accept-twice'] : FAULTS;
      await this.#ask('POST', 'fault-plan', { partner, rate, faults, seed, delayMs });
    }
  }

  async stopFaults(): Promise<void> {
    await this.#ask('DELETE', 'fault-plan');
    await this.#ask('DELETE', 'faults');
  }

  async counts(): Promise<FaultCounts> {
    return ((await this.#ask('GET', 'fault-plan')) as { injected: FaultCounts }).injected;
  }

  async ledgers(): Promise<Ledgers> {
    return (await this.#ask('GET', 'ledger')) as Ledgers;
  }

  async pickups(): Promise<PickupBooks> {
    return (await this.#ask('GET', 'pickups')) as PickupBooks;
  }

  async turnClock(advanceHours: number): Promise<void> {
    await this.#ask('POST', 'clock', { advanceHours });
  }

  async #ask(method: string, path: string, body?: unknown): Promise<unknown> {
    const deadline = Date.now() + 10_000;
    for (;;) {
      const started = performance.now();
      try {
        const answer = await fetch(`${this.#url}/${path}`, {
          method,
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        });
        const text = await answer.text();
        if (!answer.ok) throw new Error(`The sandbox refused ${path}: ${text}`);
        this.slowestMs = Math.max(this.slowestMs, performance.now() - started);
        return text === '' ? null : JSON.parse(text);
      } catch (error) {
        // It does not listen for a moment while it refuses connections.
        if (Date.now() > deadline || (error as Error).message.startsWith('The sandbox')) throw error;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    }
  }
}
