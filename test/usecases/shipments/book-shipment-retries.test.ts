import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Shipment } from '../../../src/db/entities/index.ts';
import { demoCompany } from '../../../src/demo/demo-company.ts';
import { apply } from '../../../src/usecases/setup/apply.ts';
import { ApplyDocument } from '../../../src/usecases/setup/apply-document.ts';
import { backends, startTestApp, type TestApp } from '../../support/test-app.ts';
import { attemptsOf, countCalls, createOrder, database, readShipment } from '../engine.ts';

const QUEUE = 'carrier-gls-it';

/** The demo company with another password at the carrier. */
function companyWithPassword(sandboxUrl: string, password: string): ApplyDocument {
  const document = structuredClone(demoCompany(sandboxUrl)) as {
    companies: { contracts: { account: Record<string, string> }[] }[];
  };
  const gls = (document.companies[0]?.contracts ?? []).find(({ account }) => 'passwordClienteGls' in account);
  if (gls) gls.account.passwordClienteGls = password;
  return ApplyDocument.parse(document);
}

describe.each(backends())('a carrier that is unwell, queue on %s', (backend) => {
  let test: TestApp;

  beforeAll(async () => {
    test = await startTestApp({ backend, env: { RETRY_ATTEMPTS: '3', RETRY_BASE_MS: '500' } });
  });
  afterEach(() => test.clearFaults());
  afterAll(() => test.stop());

  const create = (orderId: number, prefer?: string) =>
    test.call('POST', '/shipment/create', [{ orderId }], prefer ? { prefer } : {});
  const shipmentOf = (orderId: number) =>
    database(test).findOneOrFail(Shipment, { orderId }, { orderBy: { id: 'desc' } });

  it.each(['status-429', 'status-503'])('is asked again after %s, and sells one label', async (fault) => {
    const orderId = await createOrder(test);
    await test.fault('gls-it', 'AddParcel', fault);

    const created = await create(orderId);

    const shipment = await shipmentOf(orderId);
    expect(created.body).toMatchObject({ success: true, details: { success: [orderId], errors: [] } });
    expect(await attemptsOf(test, shipment.id)).toEqual(['create failed', 'create succeeded']);
    expect(await test.ledger('gls-it', shipment.reference ?? '')).toMatchObject({ labelsSold: 1 });
  });

  it('is asked again when it refused the connection, and sells one label', async () => {
    const orderId = await createOrder(test);
    const refuse = { partner: 'gls-it', fault: 'refuse', delayMs: 200 };
    await fetch(`${test.app.sandboxUrl}/_control/faults`, { method: 'POST', body: JSON.stringify(refuse) });

    const created = await create(orderId);

    const shipment = await shipmentOf(orderId);
    expect(created.body).toMatchObject({ success: true, details: { success: [orderId] } });
    expect((await attemptsOf(test, shipment.id)).at(-1)).toBe('create succeeded');
    expect(await test.ledger('gls-it', shipment.reference ?? '')).toMatchObject({ labelsSold: 1 });
  });

  it('is told of when all tries are used up, and asked anew when the client asks anew', async () => {
    const orderId = await createOrder(test);
    await test.fault('gls-it', 'AddParcel', 'status-503', 3);

    const exhausted = await create(orderId);
    const detail = await test.call('GET', `/orders/${orderId}`);
    const tracking = await test.call('GET', `/shipment/${detail.body.shipments[0].id}/tracking`);
    const failed = await test.until(
      () => test.app.deps.queues.queue(QUEUE).getFailed(),
      (jobs) => jobs.length > 0,
    );
    const again = await create(orderId);

    const message = 'GLS Italy answered 503 to AddParcel; all tries are used up';
    expect(exhausted.body).toMatchObject({ success: false, details: { errors: [{ id: orderId, message }] } });
    expect(detail.body.order.status).toBe('error');
    expect(detail.body.shipments).toMatchObject([{ status: 'failed', error: message }]);
    expect(tracking.body.shipment.status).toBe('failed');
    expect(failed.map((job) => job.name)).toEqual(['book']);
    expect(again.body).toMatchObject({ success: true, details: { success: [orderId] } });
    const healed = await test.call('GET', `/orders/${orderId}`);
    expect(healed.body).toMatchObject({
      order: { status: 'shipment_created' },
      shipments: [{ status: 'created', error: null }],
    });
    const shipment = await shipmentOf(orderId);
    expect(await attemptsOf(test, shipment.id)).toEqual([
      'create failed',
      'create failed',
      'create failed',
      'create succeeded',
    ]);
    expect(await test.ledger('gls-it', shipment.reference ?? '')).toMatchObject({ labelsSold: 1 });
  });

  it('is not asked again after a refusal, until somebody put right what was wrong', async () => {
    const orderId = await createOrder(test);
    await apply(test.app.deps, companyWithPassword(test.app.sandboxUrl ?? '', 'wrong'));

    const refused = await create(orderId);
    const rejected = await shipmentOf(orderId);
    await apply(test.app.deps, companyWithPassword(test.app.sandboxUrl ?? '', 'sandbox'));
    const again = await create(orderId);

    expect(refused.body.details.errors).toEqual([{ id: orderId, message: 'GLS Italy refused: Login fallito.' }]);
    expect(rejected.processStatus).toBe('rejected');
    expect(await countCalls(test, rejected.id, 'AddParcel')).toBe(1);
    expect(again.body).toMatchObject({ success: true, details: { success: [orderId] } });
    expect((await shipmentOf(orderId)).id).not.toBe(rejected.id);
    expect(await readShipment(test, rejected.id)).toMatchObject({ processStatus: 'rejected' });
  });

  it('tells the client that the work goes on when nobody knows whether the label was sold', async () => {
    const orderId = await createOrder(test);
    await test.fault('gls-it', 'AddParcel', 'reset');

    const first = await create(orderId, 'wait=1');
    const second = await create(orderId, 'wait=1');

    const shipment = await shipmentOf(orderId);
    for (const answer of [first, second]) {
      expect(answer.status).toBe(202);
      expect(answer.headers.get('location')).toMatch(/\/operations\/\d+$/);
      expect(answer.body).toMatchObject({ message: expect.stringContaining('1 still in progress') });
    }
    expect(shipment.processStatus).toBe('unknown_outcome');
    expect(await countCalls(test, shipment.id, 'AddParcel')).toBe(1);
  });

  it('sells one label when its answer was lost, and the client hears of success', async () => {
    const orderId = await createOrder(test);
    await test.fault('gls-it', 'AddParcel', 'accept-then-500');

    const created = await create(orderId);

    const shipment = await shipmentOf(orderId);
    expect(created.body).toMatchObject({ success: true, details: { success: [orderId] } });
    expect(await countCalls(test, shipment.id, 'AddParcel')).toBe(1);
    expect(await test.ledger('gls-it', shipment.reference ?? '')).toMatchObject({ labelsSold: 1 });
  });

  it('sells one label in the end although it booked the request twice', async () => {
    const orderId = await createOrder(test);
    await test.fault('gls-it', 'AddParcel', 'accept-twice');

    const created = await create(orderId);

    const shipment = await shipmentOf(orderId);
    expect(created.body).toMatchObject({ success: true, details: { success: [orderId] } });
    expect(await test.ledger('gls-it', shipment.reference ?? '')).toMatchObject({ labelsSold: 1, cancelled: 1 });
  });
});
