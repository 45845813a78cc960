import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createBudgetStore } from '../../src/engine/budget-store.ts';
import { type BudgetStore, budgetOf, memoryBudgets } from '../../src/lib/budgets.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';

let test: TestApp;
const rule = { capacity: 3, perSecond: 0.1 };

beforeAll(async () => {
  test = await startTestApp({ roles: ['api'] });
});
afterAll(() => test.stop());

const stores: [string, () => [BudgetStore, BudgetStore]][] = [
  ['in PostgreSQL', () => [createBudgetStore(test.app.deps.orm), createBudgetStore(test.app.deps.orm)]],
  ['in memory', () => [memoryBudgets(), memoryBudgets()].fill(memoryBudgets()) as [BudgetStore, BudgetStore]],
];

describe.each(stores)('a budget %s', (name, make) => {
  it('is shared: two workers get no more than it holds, and are told how long to wait', async () => {
    const [one, other] = make();
    const key = `${name}:shared`;

    const waits = await Promise.all([one, other, one, other].map((store) => store.take(key, rule, 1)));

    expect(waits.filter((ms) => ms === 0)).toHaveLength(3);
    const missing = Math.max(...waits);
    expect(missing).toBeGreaterThan(5_000);
    expect(missing).toBeLessThanOrEqual(10_000);
  });

  it('believes the platform about what is left', async () => {
    const [one, other] = make();
    const key = `${name}:told`;
    await one.take(key, rule, 1);

    await one.report(key, 0);

    expect(await other.take(key, rule, 1)).toBeGreaterThan(5_000);
  });

  it('fills up with time, and never beyond its size', async () => {
    const [one] = make();
    const quick = { capacity: 1, perSecond: 1000 };
    const key = `${name}:filling`;
    await one.take(key, quick, 1);

    await expect.poll(() => one.take(key, quick, 1)).toBe(0);
    await one.report(key, 50);
    expect(await one.take(key, { capacity: 1, perSecond: 0.001 }, 1)).toBe(0);
    expect(await one.take(key, { capacity: 1, perSecond: 0.001 }, 1)).toBeGreaterThan(0);
  });

  it('lets through what costs more than it ever holds, once it is full', async () => {
    const [one] = make();

    expect(await one.take(`${name}:large`, rule, 10)).toBe(0);
    expect(await one.take(`${name}:large`, rule, 1)).toBeGreaterThan(0);
  });
});

describe('who asks for a budget', () => {
  const asking = (signal: AbortSignal, store = memoryBudgets()) =>
    budgetOf(store, { key: 'k', rule: { capacity: 1, perSecond: 0.001 }, provider: 'Acme', signal });

  it('is turned away when the wait is too long, and told how long it is', async () => {
    const budget = asking(new AbortController().signal);
    await budget.take();

    await expect(budget.take(1, 10)).rejects.toMatchObject({ kind: 'retryable', code: 'throttled' });
  });

  it('waits as long as it said it would', async () => {
    const store = memoryBudgets();
    const budget = budgetOf(store, {
      key: 'k',
      rule: { capacity: 1, perSecond: 200 },
      provider: 'Acme',
      signal: new AbortController().signal,
    });
    await budget.take();
    const started = performance.now();

    await budget.take(1, 5_000);

    // A piece comes back every 5 ms, and timers of Node may fire a millisecond early.
    expect(performance.now() - started).toBeGreaterThanOrEqual(4);
  });

  it('is let go when the work is stopped', async () => {
    const stop = new AbortController();
    const budget = asking(stop.signal);
    await budget.take();

    const waiting = budget.take(1, 10_000_000);
    stop.abort();

    await expect(waiting).rejects.toMatchObject({ kind: 'retryable', code: 'stopped' });
  });
});
