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
  'labels',
  'reconcile',
]);

/** Returns the turn of the next job in a queue; null when none waits. */
export type ReadHead = (queueName: string) => Promise<number | null>;

interface Line {
  /** The last turn that each company's line was given. */
  last: Map<string, number>;
  head: number;
  readAt: number;
}

/** The head may be this old: a job then comes a little too early, never too late. */
const HEAD_MS = 200;

/**
 * Gives jobs their turns, so that companies share a queue (start-time fair queueing). Each company adds behind its own
 * jobs, and a queue serves the lowest turn first. A company that begins starts at the turn that is being served. Work for
 * a waiting person has a line of its own beside the company's bulk. Each process keeps its own lines.
 */
export class Turns {
  readonly #lines = new Map<string, Line>();
  readonly #readHead: ReadHead;
  readonly #now: () => number;

  constructor(readHead: ReadHead, now: () => number = Date.now) {
    this.#readHead = readHead;
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
    const { last: kept, head } = await this.#lineOf(queueName);
    const last = isAgain ? new Map<string, number>() : kept;
    const isBulk = jobs.length > 1;
    return jobs.map((job) => {
      if (job.name === 'deliver') return null;
      const flow = `${job.companyId} ${isUrgent(job, isBulk) ? 'urgent' : 'bulk'}`;
      const turn = Math.max(last.get(flow) ?? 0, head) + costOf(job);
      last.set(flow, turn);
      return Math.min(turn, MAX_TURN);
    });
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
    for (const [flow, turn] of line.last) if (head === null || turn <= line.head) line.last.delete(flow);
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
