import type { Command } from 'commander';
import { columns, printable } from './table.ts';
import type { WithDatabase } from './with-core.ts';

/** Adds `smista user …`: the people who log in. */
export function userCommands(program: Command, withDatabase: WithDatabase): void {
  const user = program.command('user').description('people who log in');
  user
    .command('create')
    .description('create a person and print a random password once')
    .argument('<email>')
    .requiredOption('--role <role>', 'viewer, operator or admin')
    .option('--company <key>', 'works with this company only; absent: with all of them')
    .option('--name <name>', 'what the screens call the person', '')
    .action(async (email: string, options: { role: string; company?: string; name: string }) => {
      const { createUser } = await import('../usecases/people/users.ts');
      await withDatabase({}, async ({ deps }) => {
        const { role, name, company = null } = options;
        const { password } = await createUser(deps, { email, role, name, companyKey: company });
        console.log(password);
      });
    });
  user
    .command('list')
    .description('list people')
    .argument('[company]', 'only people of this company')
    .action(async (company: string | undefined) => {
      const { listUsers } = await import('../usecases/people/users.ts');
      await withDatabase({}, async ({ deps }) => {
        const rows = await listUsers(deps, company ?? null);
        if (rows.length === 0) console.log('There are no users.');
        else console.log(columns(rows.map(lineOf)));
      });
    });
  user
    .command('disable')
    .description('end all logins of a person and refuse further ones')
    .argument('<email>')
    .action(async (email: string) => {
      const { disableUser } = await import('../usecases/people/users.ts');
      await withDatabase({}, async ({ deps }) => {
        await disableUser(deps, email);
        console.log(`${printable(email)} cannot log in any more.`);
      });
    });
  user
    .command('reset')
    .description(
      'print a new random password once, end all logins, switch the second factor off, and enable a disabled person',
    )
    .argument('<email>')
    .action(async (email: string) => {
      const { resetUser } = await import('../usecases/people/users.ts');
      await withDatabase({}, async ({ deps }) => console.log(await resetUser(deps, email)));
    });
}

function lineOf(user: {
  email: string;
  name: string;
  role: string;
  company: string | null;
  hasTotp: boolean;
  lastLoginAt: Date | null;
  disabledAt: Date | null;
}): string[] {
  const used = user.lastLoginAt ? `last login ${user.lastLoginAt.toISOString()}` : 'never logged in';
  const state = user.disabledAt ? 'disabled' : used;
  return [
    user.email,
    user.role,
    user.company ?? '(all companies)',
    printable(user.name),
    user.hasTotp ? 'second factor' : '',
    state,
  ];
}
