import type { Command } from 'commander';
import { positiveNumber } from './arguments.ts';
import type { WithCore } from './with-core.ts';

const DETECT_MS = 30_000;

/** Adds `smista connections …`: the shops of all companies. */
export function connectionCommands(program: Command, withCore: WithCore): void {
  const connections = program.command('connections').description('the marketplaces that are connected');
  connections
    .command('detect')
    .description('ask a shop again what it can do, such as after a plugin was switched on')
    .argument('<connection>', 'its id, as in GET /marketplace/connected', positiveNumber)
    .action(async (connectionId: number) => {
      const { detectShop, findConnection } = await import('../usecases/marketplaces/detect-shop.ts');
      await withCore({}, async ({ deps }) => {
        const connection = await findConnection(deps, connectionId);
        const call = { requestId: 'command-line', signal: AbortSignal.timeout(DETECT_MS) };
        console.log(JSON.stringify(await detectShop(deps, connection, call), null, 2));
      });
    });
}
