import fc from 'fast-check';
import { expect } from 'vitest';
import { requestTransmit } from '../../src/usecases/shipments/request-transmit.ts';
import type { TestApp } from '../support/test-app.ts';
import { faults, reports } from './commands/carrier.ts';
import { askForShipments, calls, callsGoneWrong } from './commands/clients.ts';
import { type Command, command } from './commands/command.ts';
import { crashes, peacefulWork, sweeps, work } from './commands/workers.ts';
import { quiesce } from './quiesce.ts';
import { type Model, World } from './world.ts';

/** How far an order already is when the sequence begins. */
const STAGES = ['new', 'asked', 'created', 'transmitted'] as const;

interface Birth {
  stage: (typeof STAGES)[number];
  parcels: number;
}

/** Times as many runs, and as much time, as usual: `MODEL_RUNS=20 vitest run test/model`; `npm run fuzz` sets it. */
const MORE_RUNS = Number(process.env.MODEL_RUNS ?? 1);
/** After so long it is enough, on a machine that is busy with something else too. */
const BUDGET_MS = 12_000 * MORE_RUNS;
/** How long a counterexample is made smaller. */
const SHRINK_MS = 20_000;
/** What began within the budget comes to its end. */
export const TIMEOUT_MS = BUDGET_MS + 60_000;

const peaceful = fc.oneof({ weight: 3, arbitrary: calls }, { weight: 2, arbitrary: peacefulWork }, reports);

const together = fc.tuple(peaceful, peaceful).map(([one, other]) =>
  command(
    `at the same moment [${one}] and [${other}]`,
    async (world) => {
      world.isCrowded = true;
      const endings = await Promise.allSettled([one.act(world), other.act(world)]);
      for (const ending of endings) if (ending.status === 'rejected') throw ending.reason;
    },
    (model) => one.check(model) && other.check(model),
  ),
);

/** Clients, workers and parcels on a good day, only much at the same moment. */
export const goodDay: fc.Arbitrary<Command> = fc.oneof(
  { weight: 5, arbitrary: calls },
  { weight: 5, arbitrary: work },
  { weight: 4, arbitrary: together },
  { weight: 2, arbitrary: reports },
  callsGoneWrong,
  sweeps,
);

/** Carriers that fail, processes that die or stand still, queues that forget. */
export const badDay: fc.Arbitrary<Command> = fc.oneof(
  { weight: 4, arbitrary: calls },
  { weight: 4, arbitrary: work },
  { weight: 4, arbitrary: crashes },
  { weight: 3, arbitrary: faults },
  { weight: 2, arbitrary: sweeps },
  { weight: 1, arbitrary: together },
  { weight: 1, arbitrary: reports },
  callsGoneWrong,
);

/** Every life of so many orders that is made of such commands keeps the invariants, and comes to rest. */
export async function assertAnyLife(
  test: TestApp,
  life: { orders: { min: number; max: number }; commands: fc.Arbitrary<Command>; maxCommands: number; runs: number },
): Promise<void> {
  const births = fc.array(
    fc.record({ stage: fc.constantFrom(...STAGES, 'transmitted'), parcels: fc.integer({ min: 1, max: 2 }) }),
    {
      minLength: life.orders.min,
      maxLength: life.orders.max,
    },
  );
  const commands = fc.commands<Model, World, false>([life.commands], { maxCommands: life.maxCommands, size: 'max' });
  let until = performance.now() + BUDGET_MS;
  let lived = 0;
  let hasFailed = false;
  const property = fc.asyncProperty(births, commands, async (orders, sequence) => {
    // Not the library's time limit: that one leaves a life behind, which goes on while the application stops.
    if (performance.now() > until) return;
    lived += 1;
    try {
      const world = await beginWorld(test, orders);
      await fc.asyncModelRun(() => ({ model: world.model, real: world }), sequence);
      await quiesce(world);
    } catch (error) {
      if (!hasFailed) until = performance.now() + SHRINK_MS;
      hasFailed = true;
      throw error;
    }
  });
  await fc.assert(property, { numRuns: life.runs * MORE_RUNS });
  expect(lived).toBeGreaterThan(0);
}

async function beginWorld(test: TestApp, births: readonly Birth[]): Promise<World> {
  const world = await World.open(
    test,
    births.map(({ parcels }) => parcels),
  );
  const workAll = async (): Promise<void> => {
    for (const job of [...world.model.waiting]) await world.work(job);
  };
  const atLeast = (stage: number): number[] =>
    births.flatMap((birth, at) => (STAGES.indexOf(birth.stage) >= stage ? [at] : []));
  const later = atLeast(2);
  if (later.length > 0) await world.perform(askForShipments(world, later));
  await workAll();
  const orderIds = atLeast(3).map((at) => world.orderIds[at] ?? 0);
  if (orderIds.length > 0) {
    await world.perform((deps) => requestTransmit(deps, { companyId: world.companyId, requestId: 'model', orderIds }));
  }
  await workAll();
  if (atLeast(1).length > 0) await world.perform(askForShipments(world, atLeast(1)));
  return world;
}
