import { UsageError } from './lib/errors.ts';

/** Loads the simulated partners, which only some processes need. Throws a `UsageError` when they are not installed. */
export async function loadSandbox(): Promise<typeof import('smista-sandbox')> {
  try {
    return await import('smista-sandbox');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw cause;
    throw new UsageError(
      'The simulated partners (smista-sandbox) are not installed: unset SANDBOX or set it to false',
      {
        cause,
      },
    );
  }
}
