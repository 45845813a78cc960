import { type Command, Option } from 'commander';
import type { Change } from '../usecases/setup/upsert-declared.ts';
import { registries, type WithCore } from './with-core.ts';

const EXPORT_HEADER = ` Written by smista export; smista apply reads it. The word keep stands for a secret that stays as it is.`;

/** Adds `smista apply` and `smista export`: companies' setup from a file and into one. */
export function applyCommands(program: Command, withCore: WithCore): void {
  program
    .command('apply')
    .description('make the database say what a YAML file declares: companies, contracts, tariffs, connections')
    .argument('<file>', 'see examples/company.yaml')
    .option('--migrate', 'bring the database up to date first')
    .addOption(new Option('--dry-run', 'show what would change, and write nothing').conflicts('migrate'))
    .action(async (name: string, { migrate = false, dryRun = false }: { migrate?: boolean; dryRun?: boolean }) => {
      const { apply } = await import('../usecases/setup/apply.ts');
      const { DeclarationError, readDeclaration } = await import('../usecases/setup/declaration-faults.ts');
      const { leftAlone } = await import('../usecases/setup/left-alone.ts');
      const { readDeclarationFile } = await import('./declaration-file.ts');
      const file = readDeclarationFile(name);
      const explained = (error: unknown): never => {
        throw error instanceof DeclarationError ? file.explain(error) : error;
      };
      const document = await registries()
        .then((all) => readDeclaration(all, file.declared))
        .catch(explained);
      await withCore({ migrate }, async ({ deps }) => {
        const changes = await apply(deps, document, { isDryRun: dryRun }).catch(explained);
        for (const change of changes) console.log(changeLine(change));
        for (const line of await leftAlone(deps, document)) console.log(`not in the file, left alone: ${line}`);
      });
      if (dryRun) console.error('This was a dry run: nothing was written.');
    });
  program
    .command('export')
    .description('print everything that companies are set up with, as a YAML file that apply reads')
    .argument('[company]', 'only this company, by its key')
    .action(async (company: string | undefined) => {
      const { stringify } = await import('yaml');
      const { exportCompanies } = await import('../usecases/setup/export-companies.ts');
      await withCore({}, async ({ deps }) => {
        const document = await exportCompanies(deps, company ?? null);
        process.stdout.write(`#${EXPORT_HEADER}\n${stringify(document, { lineWidth: 0 })}`);
      });
    });
}

function changeLine({ what, change, fields }: Change): string {
  return `${change.padEnd(9)} ${what}${fields.length > 0 ? ` (${fields.join(', ')})` : ''}`;
}
