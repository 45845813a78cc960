import { afterAll, beforeAll, describe, it } from 'vitest';
import type { TestApp } from '../support/test-app.ts';
import { assertAnyLife, badDay, TIMEOUT_MS } from './life.ts';
import { startModelApp } from './model-app.ts';

describe('one or two orders on a bad day', () => {
  let test: TestApp;

  beforeAll(async () => {
    test = await startModelApp();
  });
  afterAll(() => test.stop());

  it(
    'no sequence of calls, faults, crashes and lost jobs reaches a forbidden state or stays open',
    () => assertAnyLife(test, { orders: { min: 1, max: 2 }, commands: badDay, maxCommands: 60, runs: 25 }),
    TIMEOUT_MS,
  );
});
