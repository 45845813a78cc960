import { existsSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { defineConfig } from 'vitest/config';
import { SlowestFirst } from './test/support/slowest-first.ts';

// Databases of tests need no disk, and many of them at a time would keep it busy.
process.env.TMPDIR ??= roomyMemory();

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/support/setup.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    // A command takes a second alone and half a minute on a machine that is busy with other things.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Each file starts servers of its own, and some mostly wait for processes: four keep two cores busy.
    maxWorkers: 4,
    sequence: { sequencer: SlowestFirst },
    // Node reads TypeScript itself, and nothing is mocked: modules are loaded once per worker, not once per file.
    isolate: false,
    experimental: { viteModuleRunner: false },
    ...(process.env.CI
      ? { reporters: ['default', ['json', { outputFile: 'node_modules/.cache/test-report.json' }]] }
      : {}),
  },
});

/** Returns a directory in memory where there is one with 4 GiB left, else the usual one for temporary files. */
function roomyMemory(): string {
  const memory = '/dev/shm';
  if (!existsSync(memory)) return tmpdir();
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize > 4 * 2 ** 30 ? memory : tmpdir();
}
