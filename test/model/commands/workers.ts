import fc from 'fast-check';
import type { JobRequest } from '../../../src/queue/jobs.ts';
import { sweep } from '../../../src/usecases/upkeep/sweep.ts';
import { dieAtWrite, revive } from '../deaths.ts';
import { checkInvariants } from '../invariants.ts';
import type { Model, World } from '../world.ts';
import { type Command, command, pickFrom } from './command.ts';

const hasJobs = (model: Readonly<Model>): boolean => model.waiting.length > 0;
const pick = fc.nat(9);

/** A command about one job of the queue. */
function withJob(title: string, at: number, act: (world: World, job: JobRequest) => Promise<unknown>): Command {
  return command(
    `${title} job ${at}`,
    async (world) => {
      const job = pickFrom(world.model.waiting, at);
      if (job) await act(world, job);
    },
    hasJobs,
  );
}

const running = pick.map((at) => withJob('run', at, (world, job) => world.work(job)));

const runningLastTry = pick.map((at) =>
  withJob('run for the last time', at, (world, job) => world.work(job, { isLastTry: true })),
);

const runningTwiceAtOnce = pick.map((at) =>
  withJob('run twice at once', at, (world, job) => Promise.all([world.work(job), world.work(job)])),
);

const dyingAtWrite = fc.tuple(pick, fc.integer({ min: 1, max: 9 })).map(([at, writes]) =>
  withJob(`die at write ${writes} of`, at, async (world, job) => {
    await dieAtWrite(world.test, writes);
    await world.work(job).finally(() => revive(world.test));
  }),
);

const dyingAtCall = fc.tuple(pick, fc.constantFrom('before', 'after')).map(([at, when]) =>
  withJob(`die ${when} the call of`, at, async (world, job) => {
    const strike = async (): Promise<void> => {
      await dieAtWrite(world.test, 0);
      if (when === 'before') throw new Error('the process died');
    };
    await world.interrupting({ at: when, strike }, () => world.work(job)).finally(() => revive(world.test));
  }),
);

interface Sleep {
  at: 'before' | 'after';
  isLastTry: boolean;
  onlyWrites?: boolean;
}

/** The job's process stands still at its call, while others may take over what it held, until somebody wakes it up. */
async function fallAsleep(world: World, job: JobRequest, sleep: Sleep): Promise<void> {
  const asleep = Promise.withResolvers<void>();
  const awake = Promise.withResolvers<void>();
  const strike = async (): Promise<void> => {
    const wake = (): Promise<void> => {
      awake.resolve();
      return work;
    };
    world.model.asleep.push(wake);
    asleep.resolve();
    await awake.promise;
  };
  let work = Promise.resolve();
  await world.interrupting({ ...sleep, strike }, () => {
    work = world.work(job, sleep);
    return Promise.race([work, asleep.promise]);
  });
}

const when = fc.constantFrom('before', 'after');

const fallingAsleep = fc
  .tuple(pick, fc.record({ at: when, isLastTry: fc.boolean() }))
  .map(([at, sleep]) =>
    withJob(`fall asleep ${sleep.at} the call of`, at, (world, job) => fallAsleep(world, job, sleep)),
  );

const CALL_FAULTS = ['status-503', 'status-500', 'reset', 'accept-then-500'];

/** Two processes that hold the same thing one after the other, both too slow. */
const overtaking = fc
  .record({
    pick,
    fault: fc.option(fc.constantFrom(...CALL_FAULTS)),
    first: fc.record({ at: when, isLastTry: fc.boolean() }),
    second: fc.record({ at: when, isLastTry: fc.boolean(), onlyWrites: fc.constant(true) }),
    wakesFirst: fc.nat(1),
  })
  .map(({ pick: at, fault, first, second, wakesFirst }) =>
    withJob(
      `${fault ?? 'no fault'}, asleep ${first.at}, overtaken by one asleep ${second.at}, wake ${wakesFirst} first:`,
      at,
      async (world, job) => {
        if (fault !== null) await world.test.fault('gls-it', '*', fault);
        await fallAsleep(world, job, first);
        await world.passHours(1);
        await world.perform(sweep);
        for (let round = 0; round < 2; round++) {
          for (const other of [...world.model.waiting]) await fallAsleep(world, other, second);
        }
        await checkInvariants(world);
        await wakeUp(world, wakesFirst);
      },
    ),
  );

async function wakeUp(world: World, at: number): Promise<void> {
  const wake = pickFrom(world.model.asleep, at);
  if (!wake) return;
  world.model.asleep.splice(world.model.asleep.indexOf(wake), 1);
  await wake();
}

const wakingUp = pick.map((at) =>
  command(
    `wake up sleeper ${at}`,
    (world) => wakeUp(world, at),
    (model) => model.asleep.length > 0,
  ),
);

const deliveringAgain = pick.map((at) =>
  command(
    `deliver job ${at} once more`,
    async (world) => {
      const job = pickFrom(world.model.delivered, at);
      if (job) await world.work(job);
    },
    (model) => model.delivered.length > 0,
  ),
);

const losingJobs = fc.constant(command('lose all jobs', async (world) => void world.model.waiting.splice(0), hasJobs));

const sweeping = fc.constantFrom(0, 1).map((hours) =>
  command(`sweep after ${hours} hours`, async (world) => {
    if (hours > 0) await world.passHours(hours);
    await world.perform(sweep);
  }),
);

const runningAll = fc.constant(
  command(
    'run all jobs',
    async (world) => {
      for (const job of [...world.model.waiting]) {
        await world.work(job);
        await checkInvariants(world);
      }
    },
    hasJobs,
  ),
);

/** What can happen beside something else. */
export const peacefulWork: fc.Arbitrary<Command> = fc.oneof(
  { weight: 3, arbitrary: running },
  deliveringAgain,
  wakingUp,
);
export const work: fc.Arbitrary<Command> = fc.oneof(
  { weight: 4, arbitrary: running },
  { weight: 4, arbitrary: runningAll },
  runningLastTry,
  runningTwiceAtOnce,
  deliveringAgain,
);
export const crashes: fc.Arbitrary<Command> = fc.oneof(
  { weight: 2, arbitrary: dyingAtWrite },
  { weight: 2, arbitrary: dyingAtCall },
  { weight: 2, arbitrary: fallingAsleep },
  { weight: 3, arbitrary: overtaking },
  { weight: 2, arbitrary: wakingUp },
  losingJobs,
);
export const sweeps: fc.Arbitrary<Command> = sweeping;
