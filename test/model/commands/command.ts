import type fc from 'fast-check';
import { checkInvariants } from '../invariants.ts';
import type { Model, World } from '../world.ts';

export interface Command extends fc.AsyncCommand<Model, World> {
  act(world: World): Promise<void>;
}

/** Something that happens to the world, after which everything that must be true is checked. */
export function command(
  title: string,
  act: (world: World) => Promise<void>,
  isPossible: (model: Readonly<Model>) => boolean = () => true,
): Command {
  return {
    act,
    check: isPossible,
    async run(_model, world) {
      world.isCrowded = false;
      await act(world);
      await checkInvariants(world);
    },
    toString: () => title,
  };
}

/** One of what there is, for a number drawn before anybody knew how many there would be. */
export function pickFrom<Value>(values: readonly Value[], pick: number): Value | undefined {
  return values[pick % values.length];
}
