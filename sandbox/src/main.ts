/** `smista-sandbox`: serves the pretend partners until it is stopped. */
import { parseArgs } from 'node:util';
import { sandboxPartners, startSandbox } from './index.ts';

const USAGE = `Usage: smista-sandbox [--port 3001] [--host 127.0.0.1] [--state FILE]

Serves every pretend carrier and marketplace, each under its id, and /_control beside them.
--state keeps the books in a file. Without it they are forgotten at the end.`;

try {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '3001' },
      host: { type: 'string', default: '127.0.0.1' },
      state: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) console.log(USAGE);
  else await serve(values);
} catch (error) {
  console.error(`${(error as Error).message}\n\n${USAGE}`);
  process.exitCode = 2;
}

async function serve({ port, host, state }: { port: string; host: string; state?: string | undefined }): Promise<void> {
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) throw new Error(`--port must be from 0 to 65535, not ${port}`);
  const sandbox = await startSandbox({
    host,
    port: Number(port),
    partners: sandboxPartners,
    ...(state === undefined ? {} : { stateFile: state }),
  });
  console.log(`The sandbox is ready at ${sandbox.url}`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void sandbox.close());
}
