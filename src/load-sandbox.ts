import { UsageError } from './lib/errors.ts';

/** Loads the pretend partners, which only some processes want. Throws a `UsageError` where they are not installed. */
export async function loadSandbox(): Promise<typeof import('smista-sandbox')> {
  try {
    return await import('smista-sandbox');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw cause;
    throw new UsageError('The pretend partners are not installed here: leave SANDBOX away, or set it to false', {
      cause,
    });
  }
}
