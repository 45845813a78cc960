import { type Command, Option } from 'commander';
import type { SetupReport } from '../usecases/setup/administer.ts';
import type { ApplyDocument } from '../usecases/setup/apply-document.ts';
import type { Change } from '../usecases/setup/upsert-declared.ts';
import { registries, settings, type WithCore } from './with-core.ts';

const EXPORT_HEADER = ` Written by smista export; smista apply reads it. The word keep stands for a secret that stays as it is.`;
const URL_HELP = 'a running service, used by its API with the key in SMISTA_TOKEN; absent: the database';

interface ApplyOptions {
  migrate?: boolean;
  dryRun?: boolean;
  url?: string;
}

/** Adds `smista apply` and `smista export`: companies' setup from a file and into one. */
export function applyCommands(program: Command, withCore: WithCore): void {
  program
    .command('apply')
    .description('make the database say what a YAML file declares: companies, contracts, tariffs, connections')
    .argument('<file>', 'see examples/company.yaml')
    .option('--migrate', 'bring the database up to date first')
    .addOption(new Option('--dry-run', 'show what would change, and write nothing').conflicts('migrate'))
    .addOption(new Option('--url <url>', URL_HELP).conflicts('migrate'))
    .action(async (name: string, { migrate = false, dryRun = false, url }: ApplyOptions) => {
      const { DeclarationError } = await import('../usecases/setup/declaration-faults.ts');
      const { readDeclarationFile } = await import('./declaration-file.ts');
      const file = readDeclarationFile(name);
      const input = { declared: file.declared, isDryRun: dryRun };
      const report = url === undefined ? applyHere(withCore, { ...input, migrate }) : applyThere(url, input);
      const { changes, leftAlone } = await report.catch((error: unknown) => {
        throw error instanceof DeclarationError ? file.explain(error) : error;
      });
      for (const change of changes) console.log(changeLine(change));
      for (const line of leftAlone) console.log(`not in the file, left alone: ${line}`);
      if (dryRun) console.error('This was a dry run: nothing was written.');
    });
  program
    .command('export')
    .description('print everything that companies are set up with, as a YAML file that apply reads')
    .argument('[company]', 'only this company, by its key')
    .option('--url <url>', URL_HELP)
    .action(async (company: string | undefined, { url }: { url?: string }) => {
      const { stringify } = await import('yaml');
      const document = await (url === undefined ? exportHere(withCore, company) : exportThere(url, company));
      process.stdout.write(`#${EXPORT_HEADER}\n${stringify(document, { lineWidth: 0 })}`);
    });
}

interface Input {
  declared: unknown;
  isDryRun: boolean;
}

async function applyHere(
  withCore: WithCore,
  { declared, isDryRun, migrate }: Input & { migrate: boolean },
): Promise<SetupReport> {
  const { readDeclaration } = await import('../usecases/setup/declaration-faults.ts');
  const { apply } = await import('../usecases/setup/apply.ts');
  const { leftAlone } = await import('../usecases/setup/left-alone.ts');
  const document: ApplyDocument = readDeclaration(await registries(), declared);
  const report: SetupReport = { changes: [], leftAlone: [] };
  await withCore({ migrate }, async ({ deps }) => {
    report.changes = await apply(deps, document, { isDryRun });
    report.leftAlone = await leftAlone(deps, document);
  });
  return report;
}

async function applyThere(url: string, input: Input): Promise<SetupReport> {
  const { applyAt, serviceAt } = await import('./remote-setup.ts');
  const { config } = await settings();
  return applyAt(serviceAt(url, config.token), input);
}

async function exportHere(withCore: WithCore, company: string | undefined): Promise<unknown> {
  const { exportCompanies } = await import('../usecases/setup/export-companies.ts');
  let document: unknown;
  await withCore({}, async ({ deps }) => {
    document = await exportCompanies(deps, company ?? null);
  });
  return document;
}

async function exportThere(url: string, company: string | undefined): Promise<unknown> {
  const { exportFrom, serviceAt } = await import('./remote-setup.ts');
  const { config } = await settings();
  return exportFrom(serviceAt(url, config.token), company ?? null);
}

function changeLine({ what, change, fields }: Change): string {
  return `${change.padEnd(9)} ${what}${fields.length > 0 ? ` (${fields.join(', ')})` : ''}`;
}
