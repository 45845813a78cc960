import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Two at a time: each file starts servers of its own, and the suite must also be stable on two cores.
    maxWorkers: 2,
    // Node reads TypeScript itself, and nothing is mocked: modules are loaded once per worker, not once per file.
    isolate: false,
    experimental: { viteModuleRunner: false },
    ...(process.env.CI
      ? { reporters: ['default', ['json', { outputFile: 'node_modules/.cache/test-report.json' }]] }
      : {}),
  },
});
