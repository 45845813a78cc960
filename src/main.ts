import { Command, Option } from 'commander';
import { applyCommands } from './cli/apply.ts';
import { day, list, wholeNumber } from './cli/arguments.ts';
import { auditCommands } from './cli/audit.ts';
import { followCommands, noteMade } from './cli/audited.ts';
import { connectionCommands } from './cli/connections.ts';
import { exchangeCommands } from './cli/exchanges.ts';
import { findCommand } from './cli/find.ts';
import { orderCommands } from './cli/orders.ts';
import { personCommands } from './cli/persons.ts';
import { quoteCommands } from './cli/quotes.ts';
import { ruleCommands } from './cli/rules.ts';
import { secretCommands } from './cli/secrets.ts';
import { shipmentCommands } from './cli/shipments.ts';
import { tariffCommands } from './cli/tariffs.ts';
import { trackingCommands } from './cli/tracking.ts';
import { userCommands } from './cli/users.ts';
import { settings, withCore, withDatabase } from './cli/with-core.ts';
import { VERSION } from './config.ts';
import { awaitEnd, Interrupted } from './ending.ts';
import { readEnvFile } from './env-file.ts';
import { watchOutput } from './lib/closed-output.ts';
import { isDatabaseAway } from './lib/database-away.ts';
import { isDiskFull } from './lib/disk-full.ts';
import { IntegrationError, Problem, ServiceAway, UsageError } from './lib/errors.ts';
import './lib/validation-words.ts';
import { loadSandbox } from './load-sandbox.ts';
import { startCommand } from './start.ts';

// Each action imports what it needs, so that help and argument errors load no database library.
const program = new Command('smista')
  .description('Self-hosted shipping and order integration daemon')
  .version(VERSION)
  .showHelpAfterError()
  .exitOverride() // before the commands, which inherit it
  .configureHelp({ showGlobalOptions: true })
  .addHelpText(
    'after',
    '\nSettings come from the environment; .env.example lists them. Exit codes: 0 done, 1 failed, 2 invalid arguments or settings.',
  );

followCommands(program);
startCommand(program);

program
  .command('demo')
  .description('play the life of orders in a temporary directory')
  .addOption(
    new Option(
      '--story <story>',
      'straight: one order from the shop to the delivery; messy: what goes wrong on real days',
    )
      .choices(['straight', 'messy'])
      .default('straight'),
  )
  .option('--output <directory>', 'directory for labels and borderos', 'demo-output')
  .action(async ({ output, story }: { output: string; story: 'straight' | 'messy' }) => {
    const { runDemo } = await import('./demo/demo.ts');
    await runDemo({ outputDir: output, story });
  });

program
  .command('migrate')
  .description('apply pending migrations to database and queue')
  .action(async () => {
    await withCore({ migrate: true }, async () => console.log('The database is up to date.'));
  });

program
  .command('sandbox')
  .description('serve only the simulated carriers and marketplaces')
  .option('--port <port>', 'port to listen on (default: SANDBOX_PORT)', wholeNumber)
  .option('--state <file>', 'keep the ledgers in this file')
  .action(async (options: { port?: number; state?: string }) => {
    const { sandboxPartners, startSandbox } = await loadSandbox();
    const { config, log } = await settings();
    const sandbox = await startSandbox({
      host: config.host,
      port: options.port ?? config.sandboxPort,
      partners: sandboxPartners,
      ...(options.state ? { stateFile: options.state } : {}),
    }).catch((cause: NodeJS.ErrnoException) => {
      if (cause.code === 'EADDRINUSE')
        throw new UsageError(`Port ${options.port ?? config.sandboxPort} is in use`, { cause });
      throw cause;
    });
    awaitEnd({ config, log }).stopWith(() => sandbox.close());
    console.log(`The sandbox is ready at ${sandbox.url}; docs/sandbox.md describes its controls.`);
  });

applyCommands(program, withCore);

const key = program.command('key').description('API keys');
key
  .command('create')
  .description('create a key and print it once')
  .argument('<company>', 'the key of a company, as in the apply file')
  .option('--name <name>', 'what the key is for', 'api')
  .option('--expires <date>', 'last day it works, YYYY-MM-DD', day)
  .option('--scopes <list>', 'what it may do, such as orders:write,shipments:read; everything by default', list)
  .option('--from <list>', 'addresses or ranges it works from, such as 10.0.0.0/8; everywhere by default', list)
  .action(async (company: string, options: { name: string; expires?: Date; scopes?: string[]; from?: string[] }) => {
    const { createKey } = await import('./usecases/setup/api-keys.ts');
    await withDatabase({}, async ({ deps }) => {
      const made = await createKey(deps, {
        companyKey: company,
        name: options.name,
        expiresAt: options.expires ?? null,
        ...(options.scopes ? { scopes: options.scopes } : {}),
        ...(options.from ? { addressRanges: options.from } : {}),
      });
      noteMade(`key:${made.id}`);
      console.log(made.key);
    });
  });
key
  .command('list')
  .description('list keys')
  .argument('[company]', 'only keys of this company')
  .action(async (company: string | undefined) => {
    const { listKeys } = await import('./usecases/setup/api-keys.ts');
    await withDatabase({}, async ({ deps }) => {
      const rows = await listKeys(deps, company ?? null);
      if (rows.length === 0) console.log('There are no keys.');
      for (const row of rows) {
        const state = row.revokedAt ? 'revoked' : row.expiresAt && row.expiresAt < new Date() ? 'expired' : 'valid';
        const used = row.lastUsedAt ? `last used ${row.lastUsedAt.toISOString()}` : 'never used';
        const from = row.addressRanges.length > 0 ? `  from ${row.addressRanges.join(',')}` : '';
        const may = `${row.scopes.join(',')}${from}`;
        console.log(
          `${String(row.id).padStart(4)}  ${row.company}  ${row.prefix}…  ${state}  ${row.name}  ${may}  ${used}`,
        );
      }
    });
  });
key
  .command('revoke')
  .description('revoke a key; it takes effect within a moment')
  .argument('<id>', 'as in key list', wholeNumber)
  .action(async (id: number) => {
    const { revokeKey } = await import('./usecases/setup/api-keys.ts');
    await withDatabase({}, async ({ deps }) => {
      if (!(await revokeKey(deps, { id }))) throw new UsageError(`There is no key ${id}`);
      console.log(`Key ${id} is revoked.`);
    });
  });

program
  .command('doctor')
  .description('check database, queue, migrations, clock, seals, and the credentials of every contract and connection')
  .action(async () => {
    const { examine } = await import('./usecases/setup/doctor.ts');
    await withCore({}, async ({ deps }) => {
      const findings = await examine(deps);
      for (const { what, ok, detail } of findings) console.log(`${ok ? 'ok  ' : 'FAIL'} ${what}: ${detail}`);
      if (findings.some((finding) => !finding.ok)) process.exitCode = 1;
    });
  });

findCommand(program, withDatabase);
exchangeCommands(program, withCore, withDatabase);
shipmentCommands(program, withCore);
orderCommands(program, { withCore, withDatabase }, async () => ({
  ...(await import('./api/routes/orders/order-patch.ts')),
  ...(await import('./api/routes/orders/judge-order.ts')),
}));
quoteCommands(program, withDatabase);
ruleCommands(program, withDatabase);
trackingCommands(program, withCore, withDatabase);
userCommands(program, withDatabase);
personCommands(program, withCore);
connectionCommands(program, withCore);
secretCommands(program, withCore);
tariffCommands(program, withDatabase);
auditCommands(program, withCore, withDatabase);

try {
  watchOutput();
  readEnvFile();
  await program.parseAsync();
} catch (error) {
  if (error instanceof Interrupted) process.exit(error.exitCode);
  const { code, exitCode } = error as { code?: string; exitCode?: number };
  if (code?.startsWith('commander.')) process.exit(exitCode === 0 ? 0 : 2);
  if (error instanceof UsageError || error instanceof Problem) {
    console.error(error.message);
    process.exit(2);
  }
  if (error instanceof ServiceAway) {
    console.error(error.message);
    process.exit(1);
  }
  if (isDiskFull(error)) {
    console.error('The disk is full: free some space and run the command again');
    process.exit(1);
  }
  if (!(error instanceof IntegrationError) && isDatabaseAway(error)) {
    const { message, code: reason } = error as { message?: string; code?: string };
    console.error(`Lost the connection to the database: ${message?.split('\n')[0] || reason}`);
    process.exit(1);
  }
  console.error('smista failed:', error);
  process.exit(1);
}
