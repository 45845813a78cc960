import { spawn } from 'node:child_process';
import path from 'node:path';

export interface Guard {
  /** Called when the server stops in order. */
  dismiss(): void;
}

/**
 * Shell script that waits for the end of its input, which comes when our process dies, and then stops the server in
 * order. The port tells our server from one that another process started meanwhile. A server that is just starting gets
 * a few seconds to write its file.
 */
const SCRIPT = `
read -r _
for _ in 1 2 3 4 5; do
  if [ "$(sed -n 4p "$1" 2>/dev/null)" = "$2" ]; then kill -INT "$(sed -n 1p "$1")"; exit; fi
  sleep 1
done`;

/**
 * Stops the embedded server when this process dies without stopping it, as after SIGKILL. No-op on Windows, which has
 * no shell for it.
 */
export function stopWithParent(directory: string, port: number): Guard {
  if (process.platform === 'win32') return { dismiss: () => undefined };
  const args = ['-c', SCRIPT, 'sh', path.join(directory, 'postmaster.pid'), String(port)];
  // In its own session: a Ctrl-C in the terminal must not end it before us.
  const watcher = spawn('sh', args, { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  watcher.on('error', () => undefined); // without a shell, the next start stops the server
  watcher.unref();
  (watcher.stdin as unknown as { unref(): void }).unref();
  return { dismiss: () => void watcher.kill() };
}
