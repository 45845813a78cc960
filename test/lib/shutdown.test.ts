import { expect, it } from 'vitest';
import { Shutdown } from '../../src/lib/shutdown.ts';
import { listeningLog } from '../support/call-carrier.ts';

it('leaves a step behind that never ends, and names it', async () => {
  const { log, written } = listeningLog();
  const shutdown = new Shutdown({ log, totalMs: 20 });
  const stopped: string[] = [];

  await shutdown.step('workers', () => new Promise(() => {}))();
  await shutdown.step('queues', () => void stopped.push('queues'))();

  expect(stopped).toEqual(['queues']);
  expect(written()).toContain('"step":"workers","msg":"shutdown step cut off"');
  expect(written()).not.toContain('"step":"queues"');
});

it('counts one deadline for all steps', async () => {
  const { log } = listeningLog();
  const shutdown = new Shutdown({ log, totalMs: 60_000 });
  const remaining: number[] = [];

  await shutdown.step('api', (ms) => {
    remaining.push(ms);
    return new Promise<void>((resolve) => setImmediate(resolve));
  })();
  await shutdown.step('workers', (ms) => remaining.push(ms))();

  expect(remaining[0]).toBeLessThanOrEqual(60_000);
  expect(remaining[1]).toBeLessThan(remaining[0] ?? 0);
});

it('hands on the failure of a step', async () => {
  const { log } = listeningLog();
  const failing = new Shutdown({ log, totalMs: 1000 }).step('queues', () => Promise.reject(new Error('gone')));

  await expect(failing()).rejects.toThrow('gone');
});
