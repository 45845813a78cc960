import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JobRequest } from '../../src/queue/jobs.ts';
import { Turns } from '../../src/queue/turns.ts';

const booking = (companyId: number, id = 0): JobRequest => ({
  name: 'book',
  id: `book-${companyId}-${id}`,
  companyId,
  payload: { shipmentId: 1 },
});
const bookings = (companyId: number, count: number): JobRequest[] =>
  Array.from({ length: count }, (_, at) => booking(companyId, at));

/** A queue that serves the lowest turn first, and its turns. The head is read for every addition. */
class Served {
  readonly waiting: { turn: number; companyId: number; at: number }[] = [];
  readonly shares = new Map<number, number>();
  readonly turns = new Turns({
    readHead: async () => this.#next()?.turn ?? null,
    shareOf: async (companyId) => this.shares.get(companyId) ?? 1,
    now: () => (this.#clock += 1000),
  });
  #clock = 0;
  #added = 0;

  async add(jobs: readonly JobRequest[], options: { isAgain?: boolean } = {}): Promise<void> {
    const taken = await this.turns.take('q', jobs, options);
    for (const [at, job] of jobs.entries()) {
      if (!('companyId' in job)) continue;
      this.waiting.push({ turn: taken[at] ?? 0, companyId: job.companyId, at: this.#added++ });
    }
  }

  serve(): number | null {
    const next = this.#next();
    if (!next) return null;
    this.waiting.splice(this.waiting.indexOf(next), 1);
    return next.companyId;
  }

  #next() {
    return this.waiting.toSorted((a, b) => a.turn - b.turn || a.at - b.at)[0];
  }
}

describe('turns', () => {
  it('serve companies in rotation, however many jobs one of them has added before', async () => {
    const queue = new Served();
    await queue.add(bookings(1, 100));
    for (let at = 0; at < 50; at++) queue.serve();
    await queue.add(bookings(2, 10));

    const served = Array.from({ length: 20 }, () => queue.serve());

    expect(served.filter((companyId) => companyId === 2)).toHaveLength(10);
    expect(served.filter((companyId) => companyId === 1)).toHaveLength(10);
  });

  it.each([2, 3, 7, 10])('serve a company of share %i that often per round', async (share) => {
    const queue = new Served();
    queue.shares.set(1, share);
    await queue.add(bookings(1, 200));
    await queue.add(bookings(2, 200));
    await queue.add(bookings(3, 200));

    const served = Array.from({ length: 10 * (share + 2) }, () => queue.serve());
    const countOf = (company: number) => served.filter((companyId) => companyId === company).length;

    expect([countOf(1), countOf(2), countOf(3)]).toEqual([10 * share, 10, 10]);
  });

  it('reach every job in time while another company adds one job after the other', async () => {
    const queue = new Served();
    await queue.add(bookings(1, 50));
    let served = 0;
    for (let round = 0; round < 120; round++) {
      await queue.add([booking(2, round)]);
      if (queue.serve() === 1) served += 1;
    }

    expect(served).toBe(50);
  });

  it('count each shipment of a confirmation', async () => {
    const queue = new Served();
    const confirm: JobRequest = { name: 'transmit', id: 't', companyId: 1, payload: { shipmentIds: [1, 2, 3] } };

    expect(await queue.turns.take('q', [confirm, booking(1)])).toEqual([3, 4]);
  });

  it('give a job that is added again no place that a later one would stand behind', async () => {
    const queue = new Served();
    await queue.add(bookings(1, 5));

    await queue.add(bookings(1, 5), { isAgain: true });
    const [next] = await queue.turns.take('q', bookings(1, 2));

    expect(next).toBe(6);
  });

  it('begin again at one when the queue is empty, and never pass the largest priority', async () => {
    const queue = new Served();
    await queue.add(bookings(1, 3));
    while (queue.serve() !== null);

    expect(await queue.turns.take('q', bookings(1, 1))).toEqual([1]);
    const far = new Turns({ readHead: async () => 2_097_151, shareOf: async () => 1 });
    expect(await far.take('q', bookings(1, 3))).toEqual([2_097_151, 2_097_151, 2_097_151]);
  });

  it('let every company wait for at most one job of each other line per job of its own', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 2, max: 30 })), { maxLength: 8 }),
        fc.integer({ min: 2, max: 10 }),
        async (others, own) => {
          const queue = new Served();
          for (const [companyId, count] of others) {
            await queue.add(bookings(companyId, count));
            queue.serve();
          }
          await queue.add(bookings(9, own));
          const served = Array.from({ length: own * 5 }, () => queue.serve());

          expect(served.filter((companyId) => companyId === 9)).toHaveLength(own);
        },
      ),
    );
  });
});
