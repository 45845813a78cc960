import type { Command } from 'commander';
import type { WithCore } from './with-core.ts';

/** Adds `smista secrets …`: what SECRET_KEY seals. */
export function secretCommands(program: Command, withCore: WithCore): void {
  const secrets = program.command('secrets').description('what SECRET_KEY seals');
  secrets
    .command('rotate')
    .description('seal everything with the first key of SECRET_KEY; safe to repeat and to interrupt')
    .action(async () => {
      const { countSeals, resealAll } = await import('../usecases/setup/reseal.ts');
      await withCore({}, async ({ deps }) => {
        const changed = await resealAll(deps);
        const { newest, older, unreadable } = await countSeals(deps);
        console.log(`Re-sealed ${changed}; ${newest} are sealed with the newest key.`);
        if (older > 0) {
          console.error(
            `${older} were sealed with an older key meanwhile: set the newest key first in every process, then run it again`,
          );
          process.exitCode = 1;
        }
        if (unreadable.length > 0) {
          console.error(`No key of SECRET_KEY opens these, so apply them again: ${unreadable.join(', ')}`);
          process.exitCode = 1;
        }
      });
    });
}
