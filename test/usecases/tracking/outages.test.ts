import { afterAll, beforeAll, expect, it } from 'vitest';
import { trackingCommands } from '../../../src/cli/tracking.ts';
import { CarrierOutage, ContractOutage, Exchange } from '../../../src/db/entities/index.ts';
import { seeingCompanies } from '../../../src/lib/visible-companies.ts';
import { examine } from '../../../src/usecases/setup/doctor.ts';
import { bookShipment } from '../../../src/usecases/shipments/book-shipment.ts';
import { trackShipments } from '../../../src/usecases/tracking/track-shipments.ts';
import { addCompany, declareCompany, demoContract, type SecondCompany } from '../../api/second-company.ts';
import { createOrder } from '../../api/ship-orders.ts';
import { runInProcess } from '../../support/run-in-process.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';
import { type Deps, database, jobContext, readShipment, recordingDeps } from '../engine.ts';

/** Nothing listens there. */
const WRONG_HOST = 'http://127.0.0.1:9/gls-it';

let test: TestApp;
let deps: Deps;
let nord: SecondCompany;
let sud: SecondCompany;

beforeAll(async () => {
  // No worker: the test is the worker.
  test = await startTestApp({ roles: ['api'] });
  ({ deps } = recordingDeps(test));
  nord = await addCompany(test, 'nord', { contracts: [demoContract(test)] });
  sud = await addCompany(test, 'sud', { contracts: [demoContract(test)] });
});
afterAll(() => test.stop());

async function booked(headers: Record<string, string> = {}): Promise<number> {
  const orderId = await createOrder(test, {}, headers);
  await test.call('POST', '/shipment/create', [{ orderId }], { prefer: 'respond-async', ...headers });
  const [row] = await database(test).execute<{ id: number }[]>('select id from shipments where order_id = ?', [
    orderId,
  ]);
  const shipmentId = row?.id ?? 0;
  await bookShipment(deps, { shipmentId, ...jobContext() });
  return shipmentId;
}

/** Looks as a worker does, for whom PostgreSQL hides other companies. */
async function look(shipmentId: number): Promise<void> {
  const { companyId } = await readShipment(test, shipmentId);
  await seeingCompanies([companyId], () => trackShipments(deps, { shipmentIds: [shipmentId], ...jobContext() }));
}

const polls = (shipmentId: number) => database(test).count(Exchange, { shipmentId, operation: 'Tracking' });

/** The outage of a company's first contract, as its own key reads it. */
async function outageOf(headers: Record<string, string> = {}): Promise<unknown> {
  return (await test.call('GET', '/carriers/contracts', undefined, headers)).body[0].outage;
}

async function silence(shipmentId: number): Promise<void> {
  for (let at = 0; at < 4; at++) await expect(look(shipmentId)).rejects.toMatchObject({ name: 'RetryLater' });
  await look(shipmentId);
}

it('an outage is of a contract, of the carrier when two companies have it, and ends for all with one answer', async () => {
  const [own, foreign, third] = [await booked(), await booked(nord.headers), await booked(sud.headers)];
  const account = { ...(demoContract(test).account as object), baseUrl: WRONG_HOST };
  await declareCompany(test, 'nord', { contracts: [{ ...demoContract(test), account }] });

  await silence(foreign);
  const first = await outageOf(nord.headers);
  await look(foreign);
  await look(own);
  const alone = { nord: await outageOf(nord.headers), own: await outageOf() };
  const command = (await runInProcess(test.app, trackingCommands, ['tracking', 'status'])).stdout;
  const findings = await examine(test.app.deps as never);

  expect(first).toMatchObject({ silent: 'contract' });
  expect(await polls(foreign)).toBe(5);
  expect(await polls(own)).toBe(1);
  expect((await readShipment(test, foreign)).nextPollAt?.getTime()).toBeGreaterThan(Date.now() + 50_000);
  expect(alone).toEqual({
    nord: { since: expect.any(String), nextPollAt: expect.any(String), silent: 'contract' },
    own: null,
  });
  expect(command).toMatch(/gls-it .* answers\n/);
  expect(command).toMatch(/gls-it +contract \d+ GLS Bologna +since .* partner-unreachable\n/);
  expect(findings.find(({ what }) => what.startsWith('polls of contract'))).toMatchObject({
    ok: false,
    detail: expect.stringContaining('does not answer this contract alone since'),
  });

  await test.fault('gls-it', 'Tracking', 'status-503', 6);
  await silence(own);
  await look(third); // its first unanswered poll

  expect(await database(test).count(CarrierOutage, {})).toBe(1);
  expect(await outageOf()).toMatchObject({ silent: 'carrier' });
  expect(await outageOf(sud.headers)).toMatchObject({ silent: 'carrier' });
  expect(await polls(third)).toBe(1);

  await database(test).execute(
    `update contract_outages set next_probe_at = now() - interval '1 second' where company_id = ?`,
    [test.demo.companyId],
  );
  await look(own);
  await look(third);

  expect(await polls(third)).toBe(2);
  expect(await database(test).count(CarrierOutage, {})).toBe(0);
  expect(await database(test).find(ContractOutage, {})).toEqual([
    expect.objectContaining({ companyId: nord.companyId }),
  ]);
  expect(await outageOf(nord.headers)).toMatchObject({ silent: 'contract' });
});
