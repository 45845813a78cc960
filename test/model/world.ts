import type { Deps } from '../../src/engine/deps.ts';
import { Problem } from '../../src/lib/errors.ts';
import type { JobRequest } from '../../src/queue/jobs.ts';
import { isGivenUp, RetryLater } from '../../src/queue/retry.ts';
import { runJob } from '../../src/workers/run-job.ts';
import type { TestApp } from '../support/test-app.ts';
import { createOrder, database, jobContext } from '../usecases/engine.ts';
import type { AttemptRow } from './books.ts';
import { dieAtWrite, isDeath, revive } from './deaths.ts';
import { countForbidden } from './guard.ts';
import { type Interruption, interruptible } from './interruptions.ts';

/** What is known without asking anybody: it decides which commands make sense next. */
export interface Model {
  /** Orders somebody asked a shipment for, by position. */
  asked: Set<number>;
  /** Jobs in the queue. */
  waiting: JobRequest[];
  /** Jobs that were done, and may be handed out once more. */
  delivered: JobRequest[];
  /** Processes that stand still in the middle of a job: each wakes up and goes on. */
  asleep: (() => Promise<void>)[];
  borderos: number[];
}

export type Ending = 'done' | 'refused' | 'later' | 'given up' | 'died';

/** The real product on its own database and pretend carrier, and a test that decides what runs when. */
export class World {
  readonly test: TestApp;
  readonly model: Model = { asked: new Set(), waiting: [], delivered: [], asleep: [], borderos: [] };
  readonly orderIds: number[] = [];
  /** What clients were told and which attempts were seen so far; see `invariants.ts`. */
  readonly told = new Map<number, string>();
  readonly attempts = new Map<number, AttemptRow>();
  /** How often the guard had refused so far. */
  forbidden = 0;
  readonly firstExchange: number;
  /** True while two commands run at the same moment. */
  isCrowded = false;
  #interruption: Interruption | null = null;

  constructor(test: TestApp, firstExchange: number) {
    this.test = test;
    this.firstExchange = firstExchange;
  }

  static async open(test: TestApp, parcelsOfOrders: readonly number[]): Promise<World> {
    await test.clearFaults();
    await revive(test);
    await forgetOthers(test);
    const [row] = await database(test).execute<{ id: number }[]>(
      'select coalesce(max(id), 0)::int as id from exchanges',
    );
    const world = new World(test, row?.id ?? 0);
    world.forbidden = await countForbidden(test);
    for (const parcels of parcelsOfOrders) {
      const parcel = { weight_kg: 1, length_cm: 10, width_cm: 10, height_cm: 10 };
      world.orderIds.push(await createOrder(test, { parcels: Array.from({ length: parcels }, () => parcel) }));
    }
    return world;
  }

  get companyId(): number {
    return this.test.demo.companyId;
  }

  /** Dependencies of one process: its queue keeps jobs here, its carrier calls can be interrupted. */
  deps(): Deps {
    const { deps } = this.test.app;
    const keep = async (_queue: string, jobs: readonly JobRequest[]): Promise<void> => this.#enqueue(jobs);
    const carriers = interruptible(deps.carriers, (method) => {
      const interruption = this.#interruption;
      if (interruption?.onlyWrites && method === 'findByReference') return null;
      this.#interruption = null;
      return interruption;
    });
    return { ...deps, carriers, queues: { add: keep, revive: keep } };
  }

  /** Adding a job whose id the queue has changes nothing. */
  #enqueue(jobs: readonly JobRequest[]): void {
    const { waiting } = this.model;
    for (const job of jobs) if (!waiting.some(({ id }) => id === job.id)) waiting.push(job);
  }

  /** Runs a piece of the product. What it may throw in its daily life is an ending; anything else is a bug. */
  async perform(run: (deps: Deps) => Promise<unknown>): Promise<Ending> {
    try {
      await run(this.deps());
      return 'done';
    } catch (error) {
      if (isDeath(error)) return 'died';
      if (error instanceof RetryLater) return 'later';
      if (error instanceof Error && isGivenUp(error)) return 'given up';
      if (error instanceof Problem && error.status < 500) return 'refused';
      throw error;
    }
  }

  /** The same in a process that dies at its n-th write. */
  async performUntilDeath(writes: number, run: (deps: Deps) => Promise<unknown>): Promise<void> {
    await dieAtWrite(this.test, writes);
    try {
      await this.perform(run);
    } finally {
      await revive(this.test);
    }
  }

  /** Interrupts the next call to the carrier, if there is one while `run` lasts. */
  async interrupting(interruption: Interruption, run: () => Promise<unknown>): Promise<void> {
    this.#interruption = interruption;
    try {
      await run();
    } finally {
      this.#interruption = null;
    }
  }

  /** What a worker does with a job; the queue keeps one that is to be tried again. */
  async work(job: JobRequest, { isLastTry = false } = {}): Promise<void> {
    const ending = await this.perform((deps) =>
      runJob(deps, { id: job.id, name: job.name, data: job.payload, isLastTry }, jobContext()),
    );
    if (ending === 'died' || (ending === 'later' && !isLastTry)) return;
    const at = this.model.waiting.indexOf(job);
    if (at >= 0) this.model.waiting.splice(at, 1);
    if (!this.model.delivered.includes(job)) this.model.delivered.push(job);
  }

  /** Time passes: everything that was written down is so much older. */
  async passHours(hours: number): Promise<void> {
    const em = database(this.test);
    const older = (column: string): string => `${column} = ${column} - make_interval(hours => ${hours})`;
    const own = `shipment_id in (select id from shipments where order_id = any('${this.ids}'))`;
    await em.execute(`update shipments set ${older('updated_at')} where order_id = any('${this.ids}')`);
    await em.execute(`update operation_items set ${older('updated_at')} where order_id = any('${this.ids}')`);
    await em.execute(`update shipment_attempts set ${older('started_at')} where ${own}`);
    await em.execute(`update exchanges set ${older('started_at')} where ${own}`);
  }

  /** The orders of this world as a PostgreSQL array. */
  get ids(): string {
    return `{${this.orderIds.join(',')}}`;
  }
}

/** What a run that failed left open is no work of the next one. */
async function forgetOthers(test: TestApp): Promise<void> {
  await database(test).transactional(async (tx) => {
    await tx.execute('set local session_replication_role = replica'); // past the guard
    await tx.execute(
      `update shipments set process_status = 'cancelled'
        where process_status in ('queued', 'submitting', 'transmitting', 'unknown_outcome', 'cancelling')`,
    );
    await tx.execute(`update operation_items set status = 'failed' where status in ('pending', 'running')`);
  });
}
