import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Carrier, CarrierContext } from '../../src/carriers/adapter.ts';
import { type FailureKind, IntegrationError } from '../../src/lib/errors.ts';
import { createLog } from '../../src/lib/log.ts';
import type { Marketplace } from '../../src/marketplaces/adapter.ts';
import { marketplaceQueue } from '../../src/queue/jobs.ts';
import { backends, startTestApp, type TestApp } from '../support/test-app.ts';
import { bookOrder, createOrder } from './ship-orders.ts';

/** Stands for a name or an address that a partner repeats. */
const MARKER = 'MK-QXALFA';
const STATES = ['wait', 'prioritized', 'delayed', 'active', 'completed', 'failed'] as const;

/** Fails as a partner does that repeats what it was sent, in a message of two lines. */
function echo(kind: FailureKind): never {
  throw new IntegrationError(`"${MARKER}" is not the id of an order\n    but "${MARKER}" was sent`, {
    kind,
    provider: 'Echo',
    code: 'refused',
    body: MARKER,
    cause: new Error(MARKER),
  });
}

describe.each(backends())("a partner's words, queue on %s", (backend) => {
  let test: TestApp;
  let carriers: Map<string, Carrier>;
  let marketplaces: Map<string, Marketplace>;
  let gls: Carrier;
  let shop: Marketplace;
  const lines: string[] = [];

  beforeAll(async () => {
    const log = createLog({ level: 'trace', destination: { write: (line) => void lines.push(line) } });
    test = await startTestApp({ backend, log });
    carriers = test.app.deps.carriers as Map<string, Carrier>;
    marketplaces = test.app.deps.marketplaces as Map<string, Marketplace>;
    gls = carriers.get('gls-it') as Carrier;
    shop = marketplaces.get('woocommerce') as Marketplace;
  });
  afterEach(() => {
    carriers.set('gls-it', gls);
    marketplaces.set('woocommerce', shop);
  });
  afterAll(() => test.stop());

  function pretend(methods: Partial<Carrier>): void {
    carriers.set('gls-it', { ...gls, ...methods });
  }

  /** Everything that the queue keeps of its jobs: payload, result, reason and stack. */
  async function keptJobs(): Promise<{ text: string; failed: string[] }> {
    const jobs = await Promise.all(test.app.deps.queues.openQueues().map((queue) => queue.getJobs([...STATES])));
    const failed = jobs.flat().flatMap(({ failedReason }) => (failedReason ? [failedReason] : []));
    return { text: JSON.stringify(jobs.flat().map((job) => job.asJSON())), failed };
  }

  it('reach the client, and neither the log nor the queue', async () => {
    const { shipmentId } = await bookOrder(test);

    pretend({ createShipment: async () => echo('permanent') });
    const refused = await test.call('POST', '/shipment/create', [{ orderId: await createOrder(test) }]);
    pretend({ createShipment: async () => echo('retryable') });
    const exhausted = await test.call('POST', '/shipment/create', [{ orderId: await createOrder(test) }]);
    pretend({
      cancelShipment: async () => echo('permanent'),
      track: async (context: CarrierContext<unknown>) => {
        context.log.warn(
          { err: new IntegrationError(MARKER, { kind: 'retryable', provider: 'Echo', code: 'odd' }) },
          'odd',
        );
        return echo('permanent');
      },
    });
    await test.call('POST', `/shipment/${shipmentId}/poll`);
    const kept = await test.call('DELETE', `/shipment/${shipmentId}`);
    marketplaces.set('woocommerce', { ...shop, listOrders: async () => echo('permanent') });
    const payload = { connectionId: test.connectionId, requestId: 'echo' };
    await test.app.deps.queues.add(marketplaceQueue('woocommerce'), [
      { name: 'import', id: 'import-echo', companyId: test.demo.companyId, payload },
    ]);
    const jobs = await test.until(keptJobs, ({ failed }) => failed.length >= 5);

    expect(JSON.stringify(refused.body)).toContain(MARKER);
    expect(JSON.stringify(exhausted.body)).toContain(MARKER);
    expect(JSON.stringify(kept.body)).toContain(MARKER);
    expect(new Set(jobs.failed)).toEqual(new Set(['Echo refused: refused', 'Echo failed: refused']));
    expect(jobs.text).not.toContain(MARKER);
    expect(lines.join('')).toContain('Echo refused: refused');
    expect(lines.join('')).toContain('Echo failed: odd');
    expect(lines.filter((line) => line.includes(MARKER))).toEqual([]);
  });
});
