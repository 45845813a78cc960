import type { Command } from 'commander';
import type { Deps } from '../engine/deps.ts';
import type { OwnedNoun } from '../usecases/audit/write-audit.ts';

/** Commands that change nothing. Any other one leaves a row in the audit log, so a new command is never overlooked. */
const READS: ReadonlySet<string> = new Set([
  'audit list',
  'audit verify',
  'doctor',
  'exchanges export',
  'exchanges list',
  'exchanges replay',
  'exchanges show',
  'export',
  'find',
  'key list',
  'people list-erased',
  'quotes what-if',
  'rules try',
  'shipments attention',
  'shipments held',
  'tariffs check',
  'tariffs export',
  'tariffs list',
  'tracking status',
  'user list',
]);

/** The noun of the ids that a group of commands takes. */
const NOUNS: Readonly<Record<string, OwnedNoun>> = {
  shipments: 'shipment',
  tracking: 'shipment',
  orders: 'order',
  key: 'key',
  connections: 'connection',
};

const ID = /^\d{1,9}$/;

let running: Command | null = null;
const made: string[] = [];

/** Follows which command runs. */
export function followCommands(program: Command): void {
  program.hook('preAction', (_program, command) => {
    running = command;
  });
}

/** Notes what the running command made, such as `key:3`. */
export function noteMade(target: string): void {
  made.push(target);
}

/** Runs the work of a command and writes a row of the audit log: also when it fails, and not when it only reads. */
export async function audited(deps: Pick<Deps, 'orm' | 'now'>, work: () => Promise<void>): Promise<void> {
  const command = running;
  const name = command ? nameOf(command) : '';
  if (!command || READS.has(name) || command.opts<{ dryRun?: boolean }>().dryRun) return work();
  const before = process.exitCode;
  let code: string | null = null;
  try {
    await work();
    if (process.exitCode !== before) code = `exit-${process.exitCode}`;
  } catch (error) {
    code = codeOf(error);
    throw error;
  } finally {
    await writeRow(deps, { command, name, code }).catch((error: Error) => {
      console.error(`The audit log lacks this command: ${error.message}`);
      process.exitCode = 1;
    });
  }
}

async function writeRow(
  deps: Pick<Deps, 'orm' | 'now'>,
  { command, name, code }: { command: Command; name: string; code: string | null },
): Promise<void> {
  const { findUser, ownerOf, writeAudit } = await import('../usecases/audit/write-audit.ts');
  const email = argumentOf(command, 'email');
  const user = typeof email === 'string' ? await findUser(deps, email) : null;
  const noun = NOUNS[name.split(' ')[0] ?? ''];
  const ids = noun ? numbersOf(command) : [];
  const owner = noun && ids.length > 0 ? await ownerOf(deps, noun, ids) : null;
  const company = command.opts<{ company?: unknown }>().company ?? argumentOf(command, 'company');
  await writeAudit(deps, {
    companyId: user?.companyId ?? owner,
    // The option of `orders edit` names the company of a recipient.
    companyKey: typeof company === 'string' && name !== 'orders edit' ? company : null,
    at: deps.now(),
    actor: 'cli',
    channel: 'cli',
    address: null,
    operation: name,
    targets: [...ids.map((id) => `${noun}:${id}`), ...(user ? [`user:${user.id}`] : []), ...made],
    status: null,
    code,
    requestId: 'command-line',
    isReplay: false,
  });
}

/** Returns `key create` for the command create below key. */
function nameOf(command: Command): string {
  return command.parent?.parent ? `${nameOf(command.parent)} ${command.name()}` : command.name();
}

function argumentOf(command: Command, name: string): unknown {
  return command.processedArgs[command.registeredArguments.findIndex((one) => one.name() === name)];
}

/** Returns the ids among the arguments. Other arguments may name people. */
function numbersOf(command: Command): number[] {
  const texts = command.processedArgs.flat().map(String);
  return [...new Set(texts.filter((text) => ID.test(text)).map(Number))];
}

function codeOf(error: unknown): string {
  const { name, code } = error as { name?: string; code?: unknown };
  if (name === 'UsageError') return 'refused';
  return typeof code === 'string' ? code : 'failed';
}
