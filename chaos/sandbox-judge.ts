import type { FaultPlan } from '../src/sandbox/fault-plan.ts';
import type { FaultCounts } from '../src/sandbox/faults.ts';
import type { LedgerEntry } from '../src/sandbox/partner.ts';

const CARRIER = 'gls-it';

/** What the pretend carrier does to calls, and what it wrote in its own book. */
export class SandboxJudge {
  readonly #url: string;
  /** The slowest answer of its control side: how far it was behind with its work. */
  slowestMs = 0;

  constructor(sandboxUrl: string) {
    this.#url = `${sandboxUrl}/_control`;
  }

  async startFaults(plan: Omit<FaultPlan, 'partner'>): Promise<void> {
    await this.#ask('POST', 'fault-plan', { partner: CARRIER, ...plan });
  }

  async stopFaults(): Promise<void> {
    await this.#ask('DELETE', 'fault-plan');
    await this.#ask('DELETE', 'faults');
  }

  async counts(): Promise<FaultCounts> {
    return ((await this.#ask('GET', 'fault-plan')) as { injected: FaultCounts }).injected;
  }

  async ledger(): Promise<LedgerEntry[]> {
    const books = (await this.#ask('GET', `ledger?partner=${CARRIER}`)) as Record<string, LedgerEntry[]>;
    return books[CARRIER] ?? [];
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
