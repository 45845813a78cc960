import type { Command } from 'commander';
import { ERASURE_HOLDS } from '../domain/erasure-holds.ts';
import { UsageError } from '../lib/errors.ts';
import type { Erased } from '../usecases/persons/erase-orders.ts';
import type { Wanted } from '../usecases/persons/find-person.ts';
import type { Wish } from '../usecases/persons/forget-person.ts';
import { columns, printable } from './table.ts';
import type { WithCore } from './with-core.ts';

interface Named {
  company: string;
  email?: string;
  phone?: string;
  name?: string;
  zip?: string;
}

/** Adds `smista people …`: what is held about a person, and its erasure. */
export function personCommands(program: Command, withCore: WithCore): void {
  const people = program.command('people').description('what is held about a person, and its erasure');
  const named = (name: string, description: string): Command =>
    people
      .command(name)
      .description(description)
      .requiredOption('--company <key>', 'the company whose orders are meant')
      .option('--email <address>', 'e-mail address of the person')
      .option('--phone <number>', 'phone of the person; the last nine digits count')
      .option('--name <name>', 'full name, together with --zip')
      .option('--zip <code>', 'postal code, together with --name');

  named('find', 'orders of a person, and what holds their data').action(async (options: Named) => {
    const { findPerson } = await import('../usecases/persons/find-person.ts');
    const wanted = wantedOf(options);
    await withCore({}, async ({ deps }) => {
      const orders = await findPerson(deps, { companyId: await companyId(deps, options.company), wanted });
      if (orders.length === 0) return console.log('Nothing was found.');
      const rows = orders.map(({ orderId, orderNumber, status, hold }) => [
        ...[String(orderId), printable(orderNumber), status],
        hold ? ERASURE_HOLDS[hold] : '',
      ]);
      console.log(columns([['ORDER', 'NUMBER', 'STATUS', 'HELD BECAUSE'], ...rows]));
    });
  });
  named('export', 'everything that is held about a person, as JSON').action(async (options: Named) => {
    const { exportPerson } = await import('../usecases/persons/export-person.ts');
    const wanted = wantedOf(options);
    await withCore({}, async ({ deps }) => {
      const held = await exportPerson(deps, { companyId: await companyId(deps, options.company), wanted });
      console.log(JSON.stringify(held, null, 2));
    });
  });
  named('erase', 'erase the data of a person; what is not over follows when it ends').action(async (options: Named) => {
    const { forgetPerson } = await import('../usecases/persons/forget-person.ts');
    const wanted = wantedOf(options);
    await withCore({}, async ({ deps }) => {
      console.log(told(await forgetPerson(deps, { companyId: await companyId(deps, options.company), wanted })));
    });
  });
  people
    .command('list-erased')
    .description('what people asked to be erased, as lines of JSON without the people; keep them beside each backup')
    .action(async () => {
      const { listWishes } = await import('../usecases/persons/forget-person.ts');
      await withCore({}, async ({ deps }) => {
        for (const wish of await listWishes(deps)) console.log(JSON.stringify(wish));
      });
    });
  people
    .command('forget-again')
    .description('erase again what a restored backup brought back')
    .argument('<file>', 'the output of list-erased, newer than the backup')
    .action(async (file: string) => {
      const { readFile } = await import('node:fs/promises');
      const { forgetAgain } = await import('../usecases/persons/forget-person.ts');
      const wishes = readWishes(await readFile(file, 'utf8'));
      await withCore({}, async ({ deps }) => console.log(told(await forgetAgain(deps, wishes))));
    });
}

async function companyId(
  deps: Parameters<typeof import('../usecases/setup/administer.ts').findAdministered>[0],
  key: string,
): Promise<number> {
  const { findAdministered } = await import('../usecases/setup/administer.ts');
  const company = await findAdministered(deps, { companyId: null }, key).catch(() => {
    throw new UsageError(`There is no company ${key}`);
  });
  return company.id;
}

function wantedOf({ email, phone, name, zip }: Named): Wanted {
  const given = [email, phone, name ?? zip].filter((one) => one !== undefined);
  if (given.length !== 1) throw new UsageError('Give exactly one of --email, --phone, or --name with --zip');
  if (email !== undefined) return { email };
  if (phone !== undefined && phone.replaceAll(/\D/g, '').length >= 6) return { phone };
  if (phone !== undefined) throw new UsageError('--phone must have 6 digits or more');
  if (!name || !zip) throw new UsageError('--name and --zip must be given together, because many people share a name');
  return { fullName: name, postalCode: zip };
}

function told({ erased, held }: Erased): string {
  return [
    `Erased from orders: ${erased.length}.`,
    ...held.map(({ orderId, reason }) => `Order ${orderId} holds its data until it ends. ${ERASURE_HOLDS[reason]}.`),
  ].join('\n');
}

function readWishes(text: string): Wish[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line, at) => {
      try {
        const wish = JSON.parse(line) as Wish;
        if (!Array.isArray(wish.orderIds) || !Array.isArray(wish.hashes) || Number.isNaN(Date.parse(wish.askedAt)))
          throw new Error('fields are missing');
        return wish;
      } catch (cause) {
        throw new UsageError(`Line ${at + 1} is not a line of list-erased`, { cause });
      }
    });
}
