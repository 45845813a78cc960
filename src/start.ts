import { setPriority } from 'node:os';
import path from 'node:path';
import { type Command, Option } from 'commander';
import type { App } from './app.ts';
import { list } from './cli/arguments.ts';
import { settings } from './cli/with-core.ts';
import { ROLES, type Role } from './config.ts';
import type { DemoAccount } from './demo/demo-account.ts';
import { awaitEnd } from './ending.ts';
import { checkQueueNames } from './queue-names.ts';

/**
 * Processes without api get a lower priority, because clients wait for the api. On a shared machine they still get a third of their
 * CPU time. Beside four busy workers the 90th percentile of reads fell from 18 ms to 11 ms; a higher value gained nothing.
 */
const NICE_WITHOUT_API = 5;

export function startCommand(program: Command): void {
  program
    .command('start')
    .description('run the service: all roles in one process, or the named ones')
    .addOption(new Option('--role <roles...>', 'roles of this process').choices([...ROLES]))
    .option('--queues <names>', 'worker: process only these queues, separated by commas, such as carrier-gls-it', list)
    .action(start);
}

async function start(options: { role?: Role[]; queues?: string[] }): Promise<void> {
  const started = performance.now();
  const { config, log } = await settings();
  const ending = awaitEnd({ config, log });
  const [{ startApp }, { setUpDemo }] = await Promise.all([import('./app.ts'), import('./demo/demo-account.ts')]);
  if (options.queues) await checkQueueNames(options.queues, config.adapters);
  const roles = options.role ?? [...ROLES];
  const isWhole = options.role === undefined;
  if (!roles.includes('api')) setPriority(NICE_WITHOUT_API);
  const { signal } = ending;
  const app = await startApp({ config, log, roles, queues: options.queues ?? null, migrate: isWhole, signal });
  ending.stopWith(() => app.stop());
  const demo = app.sandboxUrl && !signal.aborted ? await setUpDemo(app, app.sandboxUrl) : null;
  if (signal.aborted) return;
  const ms = Math.round(performance.now() - started);
  if (config.logPretty && app.url) return console.log(readyBox(app, demo));
  const health = app.healthUrl === null ? {} : { health: app.healthUrl };
  const where = app.url ? { url: app.url, docs: `${app.url}/docs`, ...health } : health;
  log.info({ ...where, ...(demo ? aboutDemo(app, demo) : {}), roles, queue: app.deps.queues.backend, ms }, 'ready');
}

/** Names the file with the secrets instead of the secrets: more people read the log than the terminal. */
function aboutDemo(app: App, { sandboxUrl }: DemoAccount) {
  return { sandbox: sandboxUrl, demo: path.join(app.config.dataDir, 'demo.json') };
}

function readyBox({ url }: App, demo: DemoAccount | null): string {
  const lines: [string, string][] = [
    ['smista is ready', url],
    ...(demo ? [['API key', demo.apiKey] satisfies [string, string]] : []),
    ...(demo
      ? ([['Console', `${url}/console  (${demo.person.email} / ${demo.person.password})`]] satisfies [string, string][])
      : []),
    ['API reference', `${url}/docs`],
    ...(demo
      ? ([
          ['Queues', `${url}/admin/queues  (${demo.admin.user} / ${demo.admin.password})`],
          ['Simulated partners', demo.sandboxUrl],
        ] satisfies [string, string][])
      : []),
  ];
  return ['', ...lines.map(([name, value]) => `  ${name.padEnd(22)}${value}`), ''].join('\n');
}
