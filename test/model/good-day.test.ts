import { afterAll, beforeAll, describe, it } from 'vitest';
import type { TestApp } from '../support/test-app.ts';
import { assertAnyLife, goodDay, TIMEOUT_MS } from './life.ts';
import { startModelApp } from './model-app.ts';

describe('several orders on a good day', () => {
  let test: TestApp;

  beforeAll(async () => {
    test = await startModelApp();
  });
  afterAll(() => test.stop());

  it(
    'no sequence of calls, work and reports, also at the same moment, reaches a forbidden state or stays open',
    () => assertAnyLife(test, { orders: { min: 1, max: 3 }, commands: goodDay, maxCommands: 60, runs: 25 }),
    TIMEOUT_MS,
  );
});
