import { isPolling, type JobRequest } from './jobs.ts';

/** The largest priority of BullMQ. */
const MAX_TURN = 2_097_151;
/** A person waits for these. */
const URGENT: ReadonlySet<JobRequest['name']> = new Set<JobRequest['name']>([
  'cancel',
  'release',
  'check-address',
  'pickup-points',
  'live-rates',
  'book-pickup',
  'cancel-pickup',
  'poll',
  'correct',
  'verify',
  'import-now',
  'test-endpoint',
  'verify-contract',
  'print',
  'labels',
  'reconcile',
]);

/** The largest share of a company. */
export const MAX_SHARE = 10;
/** Steps of a turn: every share up to the largest divides them. */
const STEPS = 2520;

export interface TurnOptions {
  /** Returns the turn of the next job in a queue; null when none waits. */
  readHead: (queueName: string) => Promise<number | null>;
  /** Returns the turns per round of a company, 1 to 10. */
  shareOf: (companyId: number) => Promise<number>;
  /** Epoch milliseconds. */
  now?: () => number;
}

interface Line {
  /** Where the last job of each company's line stands, in steps. */
  last: Map<string, number>;
  /** In turns. */
  head: number;
  readAt: number;
}

/** The head may be this old: a job then comes a little too early, never too late. */
const HEAD_MS = 200;

/**
 * Gives jobs their turns, so that companies share a queue (start-time fair queueing). Each company adds behind its own
 * jobs, and a queue serves the lowest turn first. A company that begins starts at the turn that is being served. A company
 * with a share of three has three jobs per turn. Work for a waiting person has a line of its own beside the company's bulk.
 * Each process keeps its own lines.
 */
export class Turns {
  readonly #lines = new Map<string, Line>();
  readonly #readHead: TurnOptions['readHead'];
  readonly #shareOf: TurnOptions['shareOf'];
  readonly #now: () => number;

  constructor({ readHead, shareOf, now = Date.now }: TurnOptions) {
    this.#readHead = readHead;
    this.#shareOf = shareOf;
    this.#now = now;
  }

  /**
   * Returns a turn for each job, to be added together; null for one that takes none. `isAgain` is for jobs that the queue
   * probably has: they keep no place for later ones.
   */
  async take(
    queueName: string,
    jobs: readonly JobRequest[],
    { isAgain = false }: { isAgain?: boolean } = {},
  ): Promise<(number | null)[]> {
    if (jobs.every(({ name }) => name === 'deliver')) return jobs.map(() => null);
    const shares = await this.#sharesOf(jobs);
    const { last: kept, head } = await this.#lineOf(queueName);
    const last = isAgain ? new Map<string, number>() : kept;
    const isBulk = jobs.length > 1;
    return jobs.map((job) => {
      if (job.name === 'deliver') return null;
      const flow = `${job.companyId} ${isUrgent(job, isBulk) ? 'urgent' : 'bulk'}`;
      const share = shares.get(job.companyId) ?? 1;
      const place = Math.max(last.get(flow) ?? 0, head * STEPS) + (costOf(job) * STEPS) / share;
      last.set(flow, place);
      return Math.min(Math.ceil(place / STEPS), MAX_TURN);
    });
  }

  async #sharesOf(jobs: readonly JobRequest[]): Promise<Map<number, number>> {
    const companyIds = new Set(jobs.flatMap((job) => (job.name === 'deliver' ? [] : job.companyId)));
    return new Map(
      await Promise.all([...companyIds].map(async (id): Promise<[number, number]> => [id, await this.#shareOf(id)])),
    );
  }

  async #lineOf(queueName: string): Promise<Line> {
    const known = this.#lines.get(queueName);
    if (known && this.#now() - known.readAt < HEAD_MS) return known;
    // Set first: those that ask at the same moment use what is known.
    if (known) known.readAt = this.#now();
    const head = await this.#readHead(queueName);
    const line = this.#lines.get(queueName) ?? { last: new Map(), head: 0, readAt: this.#now() };
    this.#lines.set(queueName, line);
    line.head = head === null ? 0 : head - 1;
    for (const [flow, place] of line.last) {
      if (head === null || place <= line.head * STEPS) line.last.delete(flow);
    }
    return line;
  }
}

function isUrgent(job: JobRequest, isBulk: boolean): boolean {
  if (URGENT.has(job.name)) return true;
  return !isBulk && !isPolling(job.name) && costOf(job) === 1;
}

/** A job for many shipments takes as many turns. */
function costOf({ payload }: JobRequest): number {
  return 'shipmentIds' in payload ? payload.shipmentIds.length : 1;
}
