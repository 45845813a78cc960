import { createHash } from 'node:crypto';
import type { Fault, FaultName } from './partner.ts';

/** Faults spread over the calls to one partner by a seed. */
export interface FaultPlan {
  partner: string;
  seed: number;
  /** Share of the calls that are hit, 0 to 1. */
  rate: number;
  /** One of these, each as often as it is listed. */
  faults: readonly FaultName[];
  /** Only these; absent: every one. */
  operations?: readonly string[] | undefined;
  delayMs?: number | undefined;
}

const DIGITS = 6;
const RANGE = 2 ** (8 * DIGITS);

/**
 * Decides by a hash of the seed, the call and the number of its repeats, never by the clock. Equal seeds give equal calls the
 * same faults, in any order.
 */
export class PlannedFaults {
  /** One per partner. */
  readonly #plans = new Map<string, FaultPlan>();
  readonly #seen = new Map<string, number>();

  /** Replaces the plan of its partner; what other partners do stays as it is. */
  start(plan: FaultPlan): void {
    this.#plans.set(plan.partner, plan);
    const own = `${plan.partner} `;
    for (const call of this.#seen.keys()) if (call.startsWith(own)) this.#seen.delete(call);
  }

  stop(): void {
    this.#plans.clear();
    this.#seen.clear();
  }

  get plans(): FaultPlan[] {
    return [...this.#plans.values()];
  }

  take(call: { partner: string; operation: string; content: string }): Fault | null {
    const plan = this.#plans.get(call.partner);
    if (!plan) return null;
    if (plan.operations && !plan.operations.includes(call.operation)) return null;
    const identity = hashOf(call.operation, call.content).toString('base64');
    const seenAs = `${call.partner} ${identity}`;
    const times = this.#seen.get(seenAs) ?? 0;
    this.#seen.set(seenAs, times + 1);

    const hash = hashOf(String(plan.seed), identity, String(times));
    if (hash.readUIntBE(0, DIGITS) / RANGE >= plan.rate) return null;
    const fault = plan.faults[hash.readUIntBE(DIGITS, DIGITS) % plan.faults.length];
    if (!fault) return null;
    const { partner, operation } = call;
    return { partner, operation, fault, times: 1, delayMs: plan.delayMs };
  }
}

function hashOf(...parts: string[]): Buffer {
  return createHash('sha256').update(parts.join('\n')).digest();
}
