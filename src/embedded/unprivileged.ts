import { execFile, spawn } from 'node:child_process';
import { chownSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface Runner {
  uid?: number;
  gid?: number;
  run(command: string, args: string[]): Promise<void>;
  succeeds(command: string, args: string[]): Promise<boolean>;
}

const NAMESPACE = ['--user', '--map-user=1000', '--map-group=1000', '--'];

/**
 * Returns how to run PostgreSQL, which refuses to run as root. A user namespace maps root to another user, and needs
 * neither a new account nor a directory that others may enter. Where that is not allowed (some containers), the account
 * `postgres` is used.
 */
export async function unprivileged(directory: string): Promise<Runner> {
  const runner = (prefix: string[], ids: { uid?: number; gid?: number }): Runner => {
    const launch = async (command: string, args: string[]): Promise<void> => {
      const [file = command, ...rest] = [...prefix, command, ...args];
      await runQuietly(file, rest, ids);
    };
    return {
      ...ids,
      run: launch,
      succeeds: (command, args) =>
        launch(command, args).then(
          () => true,
          () => false,
        ),
    };
  };
  if (process.getuid?.() !== 0) return runner([], {});
  const namespaced = runner(['unshare', ...NAMESPACE], {});
  if (await namespaced.succeeds('true', [])) return namespaced;

  const idOf = async (flag: string): Promise<number> => Number((await run('id', [flag, 'postgres'])).stdout);
  if (!(await runner([], {}).succeeds('id', ['postgres'])))
    await run('useradd', ['--system', '--user-group', 'postgres']);
  const ids = { uid: await idOf('-u'), gid: await idOf('-g') };
  chownSync(directory, ids.uid, ids.gid);
  return runner([], ids);
}

/**
 * Waits for a command without keeping its output pipes: the server it starts inherits them and would hold them open.
 */
async function runQuietly(file: string, args: string[], ids: { uid?: number; gid?: number }): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const child = spawn(file, args, { ...ids, stdio: 'ignore', detached: true });
  child.once('error', reject);
  child.once('exit', (code) =>
    code === 0 ? resolve() : reject(new Error(`${path.basename(file)} ended with ${code}`)),
  );
  await promise;
}
