import { type Command, Option } from 'commander';
import { stringify } from 'yaml';
import { apply } from '../usecases/setup/apply.ts';
import { DeclarationError, readDeclaration } from '../usecases/setup/declaration-faults.ts';
import { exportCompanies } from '../usecases/setup/export-companies.ts';
import { leftAlone } from '../usecases/setup/left-alone.ts';
import type { Change } from '../usecases/setup/upsert-declared.ts';
import { readDeclarationFile } from './declaration-file.ts';
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
      await withCore({}, async ({ deps }) => {
        const document = await exportCompanies(deps, company ?? null);
        process.stdout.write(`#${EXPORT_HEADER}\n${stringify(document, { lineWidth: 0 })}`);
      });
    });
}

function changeLine({ what, change, fields }: Change): string {
  return `${change.padEnd(9)} ${what}${fields.length > 0 ? ` (${fields.join(', ')})` : ''}`;
}
