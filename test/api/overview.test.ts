import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import { addCompany, type SecondCompany } from './second-company.ts';
import { bookOrder, createOrder, transmitOrder } from './ship-orders.ts';

let test: TestApp;
let other: SecondCompany;

interface Counted {
  count: number;
  isCapped: boolean;
}
type Stage = Counted & { stage: string };

const HOUR_MS = 3_600_000;
let now = Date.now();

/** Moves the clocks of the product and of the pretend partners. */
async function letPass(hours: number): Promise<void> {
  now += hours * HOUR_MS;
  await test.advance(hours);
}

beforeAll(async () => {
  test = await startTestApp({ queues: ['carrier-gls-it'], now: () => new Date(now) });
  other = await addCompany(test, 'vicina');
});
afterAll(() => test.stop());

const countsOf = (stages: readonly Stage[]) => Object.fromEntries(stages.map(({ stage, count }) => [stage, count]));

async function lengthOf(path: string): Promise<number> {
  const { status, body } = await test.call('GET', path);
  expect(status).toBe(200);
  return body.length;
}

it('GET /overview of a company without orders is all zeros', async () => {
  const { status, body } = await test.call('GET', '/overview', undefined, other.headers);

  expect(status).toBe(200);
  expect(body).toMatchObject({ hasOrders: false, attention: [], queues: [], untold: { count: 0, isCapped: false } });
  expect(body.held).toMatchObject({ open: { count: 0 }, decided: { count: 0 }, days: 0, oldestSince: null });
  expect(body.funnel.total.every(({ count }: Stage) => count === 0)).toBe(true);
  expect(
    body.carriers.contracts.every(({ calls, p50Ms }: { calls: number; p50Ms: null }) => calls === 0 && p50Ms === null),
  ).toBe(true);
});

it('GET /overview counts each order in one stage, and each number is the length of its list', async () => {
  await createOrder(test);
  await createOrder(test, { carrier_company_id: test.contractId });
  await bookOrder(test);
  const printed = await bookOrder(test);
  await test.call('POST', `/shipment/${printed.shipmentId}/printed`, { printed: true });
  await transmitOrder(test);
  const listed = await transmitOrder(test);
  const made = await test.call('POST', '/bordero', { carrierId: test.carrierId, orderIds: [listed.orderId] });
  await createOrder(test, {}, other.headers);
  const { body } = await test.call('GET', '/overview');
  const lengths: Record<string, number> = {};
  for (const { stage } of body.funnel.total as Stage[]) lengths[stage] = await lengthOf(`/orders?stage=${stage}`);
  const gls = body.funnel.contracts.find(
    (one: { carrierCompanyId: number }) => one.carrierCompanyId === test.contractId,
  );
  const ofGls: Record<string, number> = {};
  for (const { stage } of gls.stages as Stage[]) {
    ofGls[stage] = await lengthOf(`/orders?stage=${stage}&carrierCompanyId=${test.contractId}`);
  }

  expect(made.status).toBe(201);
  expect(body.hasOrders).toBe(true);
  expect(countsOf(body.funnel.total)).toEqual({
    ...{ to_ship: 2, booked: 1, printed: 1, transmitted: 1, on_bordero: 1 },
    ...{ with_driver: 0, delivered_today: 0 },
  });
  expect(lengths).toEqual(countsOf(body.funnel.total));
  expect(ofGls).toEqual(countsOf(gls.stages));
  expect(gls.stages[0].count).toBe(1);
  expect(body.funnel.withoutContract.count).toBe(1);
});

it('GET /overview names the cases of the desk by reason, and the carrier that fails', async () => {
  const orderId = await createOrder(test);
  await test.fault('gls-it', 'AddParcel', 'status-503', 9);
  await test.call('POST', '/shipment/create', [{ orderId }]);
  await test.clearFaults();
  const { body } = await test.until(
    () => test.call('GET', '/overview'),
    ({ body }) => body.attention.length > 0,
  );
  const [first] = body.attention;
  const gls = body.carriers.contracts.find(
    (one: { carrierCompanyId: number }) => one.carrierCompanyId === test.contractId,
  );

  expect(await lengthOf(`/attention?reason=${first.reason}`)).toBe(first.count);
  expect(await lengthOf('/attention')).toBeGreaterThanOrEqual(first.count);
  expect(gls).toMatchObject({ outage: null });
  expect(gls.failures).toBeGreaterThan(0);
  expect(gls.succeeded).toBeCloseTo((gls.calls - gls.failures) / gls.calls);
  expect(gls.points.reduce((sum: number, { calls }: { calls: number }) => sum + calls, 0)).toBe(gls.calls);
  expect(gls.p95Ms).toBeGreaterThanOrEqual(gls.p50Ms);
});

it('GET /overview shows work that waits for a carrier, and its list', async () => {
  const orderId = await createOrder(test, { carrier_company_id: test.contractId });
  await test.fault('gls-it', 'AddParcel', 'delay', 9);
  const asked = await test.call('POST', '/shipment/create', [{ orderId }], { prefer: 'respond-async' });
  const { body } = await test.call('GET', '/overview');
  const path = `/orders?waitingFor=create&carrierCompanyId=${test.contractId}`;
  const waiting = (await test.call('GET', path)).body.map(({ id }: { id: number }) => id);
  await test.clearFaults();

  expect(asked.status).toBe(202);
  expect(body.queues).toMatchObject([
    { kind: 'create', carrierCompanyId: test.contractId, count: 1, connectionId: null },
  ]);
  expect(waiting).toEqual([orderId]);
});

it.each([
  ['/orders?stage=lost', 'stage'],
  ['/orders?waitingFor=rain', 'waitingFor'],
  ['/orders?carrierCompanyId=x', 'carrierCompanyId'],
  ['/attention?reason=boredom', 'reason'],
])('GET %s is a 400 that names %s', async (path, name) => {
  const { status, body } = await test.call('GET', path);

  expect([status, body.detail]).toEqual([400, expect.stringContaining(name)]);
});

it('GET /overview follows a parcel to its delivery, which counts for its day', async () => {
  const { orderId, shipmentId } = await transmitOrder(test);
  const readStages = async () => countsOf((await test.call('GET', '/overview')).body.funnel.total);
  let mostWithDriver = 0;
  let deliveredAt: string | null = null;
  for (let looks = 0; looks < 20 && deliveredAt === null; looks++) {
    await letPass(6);
    await test.call('POST', `/shipment/${shipmentId}/poll`);
    mostWithDriver = Math.max(mostWithDriver, (await readStages()).with_driver ?? 0);
    ({ deliveredAt } = (await test.call('GET', `/shipment/${shipmentId}`)).body);
  }
  // The look may have been on the day after.
  now = Date.parse(deliveredAt ?? '') + 1000;
  const sameDay = await readStages();
  const listed = (await test.call('GET', '/orders?stage=delivered_today')).body.map(({ id }: { id: number }) => id);
  now += 48 * HOUR_MS;
  const later = await readStages();

  expect(mostWithDriver).toBe(1);
  expect(sameDay).toMatchObject({ with_driver: 0, delivered_today: 1 });
  expect(listed).toEqual([orderId]);
  expect(later).toMatchObject({ with_driver: 0, delivered_today: 0 });
});
