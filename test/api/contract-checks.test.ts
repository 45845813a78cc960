import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { carrierQueue } from '../../src/queue/jobs.ts';
import { apply } from '../../src/usecases/setup/apply.ts';
import { ApplyDocument } from '../../src/usecases/setup/apply-document.ts';
import { sweep } from '../../src/usecases/upkeep/sweep.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import { database } from '../usecases/engine.ts';
import { addCompany, demoContract, demoTariff } from './second-company.ts';

let test: TestApp;

beforeAll(async () => {
  test = await startTestApp();
});
afterEach(() => test.clearFaults());
afterAll(() => test.stop());

const states = async () => (await test.call('GET', '/carriers/state')).body;
const stateOf = async (code: string) =>
  (await states()).find(({ carrier }: { carrier: { code: string } }) => carrier.code === code);
const verify = (id: number, headers = {}) => test.call('POST', `/carriers/contracts/${id}/verify`, undefined, headers);

async function declareContract(changes: Record<string, unknown>): Promise<void> {
  const contracts = [{ ...demoContract(test), ...changes }];
  await apply(
    test.app.deps,
    ApplyDocument.parse({ companies: [{ key: 'demo', name: 'Demo', contracts, tariffs: [demoTariff(test)] }] }),
  );
}

describe('the state of contracts', () => {
  it('shows services, polls and the price list in force of each contract', async () => {
    const [gls, all] = [await stateOf('gls-it'), await states()];
    const services = await test.call('GET', `/carriers/${gls.carrier.id}/services`);

    expect(all).toHaveLength(7);
    expect(gls).toMatchObject({
      contractLabel: 'GLS Bologna',
      isConnected: true,
      isVerifiable: true,
      outage: null,
      lastCheck: null,
      polls: { used: expect.any(Number), capacity: expect.any(Number), perMinute: expect.any(Number) },
      tariff: {
        key: 'gls-2026',
        inForce: { name: 'GLS Italia 2026', from: null, to: null, zones: 3, prices: 14 },
        next: null,
      },
    });
    expect(gls.services.map(({ code }: { code: string }) => code)).toEqual(
      services.body.filter(({ isActive }: { isActive: boolean }) => isActive).map(({ code }: { code: string }) => code),
    );
    expect((await stateOf('dhl-express')).tariff).toBeNull();
  });

  it('names the parameter that it does not know', async () => {
    const answer = await test.call('GET', '/carriers/state?carrier=1');

    expect(answer.status).toBe(400);
    expect(answer.body.violations).toMatchObject([{ in: 'query' }]);
  });
});

describe('a check of a contract', () => {
  it('asks the carrier, and the state keeps the answer', async () => {
    const { carrierCompanyId: id } = await stateOf('gls-it');
    const answer = await verify(id);
    const after = await stateOf('gls-it');

    expect(answer).toMatchObject({
      status: 200,
      body: { carrierCompanyId: id, status: 'succeeded', error: null, reason: null },
    });
    expect(after.lastCheck).toEqual(answer.body);
    expect(Date.parse(after.lastCheck.checkedAt)).toBeGreaterThan(Date.now() - 60_000);
    expect(after.lastHour).toMatchObject({ calls: 1, failures: 0, succeeded: 1 });
  });

  it('reports at once that the carrier is away', async () => {
    await test.fault('gls-it', 'ListSped', 'status-503', 9);
    const { carrierCompanyId: id } = await stateOf('gls-it');
    const answer = await verify(id);

    expect(answer).toMatchObject({ status: 200, body: { status: 'failed', reason: 'unreachable' } });
    expect(answer.body.error).toMatch(/503/);
  });

  it('tells refused credentials from a carrier that is away, also for a contract that is switched off', async () => {
    const { account } = demoContract(test) as { account: object };
    await declareContract({ account: { ...account, passwordClienteGls: 'wrong' }, connected: false, default: false });
    const { carrierCompanyId: id, isConnected } = await stateOf('gls-it');
    const refused = await verify(id);
    await declareContract({});
    const mended = await verify(id);

    expect(isConnected).toBe(false);
    expect(refused.body).toMatchObject({ status: 'failed', reason: 'credentials', error: expect.stringMatching(/./) });
    expect(mended.body).toMatchObject({ status: 'succeeded', error: null });
  });

  it('is shared by two who ask at once, and answers 202 to those who do not wait', async () => {
    const { carrierCompanyId: id } = await stateOf('gls-it');
    await test.fault('gls-it', 'ListSped', 'delay');
    const first = await verify(id, { Prefer: 'respond-async' });
    const second = await verify(id, { Prefer: 'respond-async' });
    const done = await verify(id);

    expect([first.status, second.status, done.status]).toEqual([202, 202, 200]);
    expect(second.headers.get('location')).toBe(first.headers.get('location'));
    expect(first.body).toMatchObject({ carrierCompanyId: id, status: 'pending', error: null, checkedAt: null });
  });

  it('is sent by the sweep when the queue lost it', async () => {
    const { carrierCompanyId: id } = await stateOf('gls-it');
    const queue = test.app.deps.queues.queue(carrierQueue('gls-it'));
    await queue.pause();
    const { headers } = await verify(id, { Prefer: 'respond-async' });
    await queue.obliterate({ force: true });
    await queue.resume();
    await database(test).execute(
      `update operation_items set updated_at = now() - interval '1 minute' where kind = 'verify-contract' and status = 'pending'`,
    );
    await sweep(test.app.deps);
    const settled = await test.until(
      () => test.call('GET', headers.get('location')?.replace('/api/v1/external', '') ?? ''),
      ({ status }) => status === 200,
    );

    expect(settled.body).toMatchObject({ carrierCompanyId: id, status: 'succeeded' });
  });

  it('finds neither a contract of another company nor none', async () => {
    const other = await addCompany(test, 'altra');
    const [{ carrierCompanyId: foreign }] = (await test.call('GET', '/carriers/state', undefined, other.headers)).body;

    expect((await verify(foreign)).status).toBe(404);
    expect((await verify(999_999)).status).toBe(404);
  });
});
