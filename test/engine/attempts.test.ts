import { afterAll, beforeAll, expect, it } from 'vitest';
import { ShipmentAttempt } from '../../src/db/entities/index.ts';
import { NEVER_SEEN } from '../../src/domain/attempt.ts';
import { beginAttempt, endAttempt } from '../../src/engine/attempts.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import { database, orderShipment, readShipment } from '../usecases/engine.ts';

let test: TestApp;

beforeAll(async () => {
  test = await startTestApp({ roles: ['api'] });
});
afterAll(() => test.stop());

type End = Parameters<typeof endAttempt>[2];

it.each<[string, End[], string]>([
  ['what it ended with', [{ outcome: 'failed' }], 'failed'],
  [
    'what a look-up found of an unknown one',
    [{ outcome: 'unknown' }, { outcome: 'succeeded', isLookUp: true }],
    'succeeded',
  ],
  [
    'what the first of two look-ups found',
    [
      { outcome: 'failed', code: NEVER_SEEN },
      { outcome: 'succeeded', isLookUp: true },
    ],
    'failed',
  ],
  ["the carrier's own late answer", [{ outcome: 'failed', code: NEVER_SEEN }, { outcome: 'succeeded' }], 'succeeded'],
  ['a refusal of the carrier', [{ outcome: 'failed', code: 'refused' }, { outcome: 'succeeded' }], 'failed'],
  [
    'what is known, whatever a run that knows less says',
    [{ outcome: 'succeeded' }, { outcome: 'unknown' }],
    'succeeded',
  ],
  [
    'yes, when a late look-up finds nothing any more',
    [{ outcome: 'succeeded' }, { outcome: 'failed', isLookUp: true }],
    'succeeded',
  ],
])('an attempt keeps %s', async (_what, ends, outcome) => {
  const em = database(test);
  const { shipmentId } = await orderShipment(test);
  const id = await beginAttempt(em, await readShipment(test, shipmentId), {
    operation: 'create',
    number: 1,
    requestId: '',
  });

  for (const end of ends) await endAttempt(em, id, end);

  expect((await database(test).findOneOrFail(ShipmentAttempt, id)).outcome).toBe(outcome);
});

it.each([
  ['yes', 'succeeded'],
  ['no', 'failed'],
  ['nobody_knows', 'unknown'],
] as const)('a process of the release before writes and reads %s where this one has %s', async (former, outcome) => {
  const em = database(test);
  const { shipmentId } = await orderShipment(test);
  const shipment = await readShipment(test, shipmentId);
  const ours = await beginAttempt(em, shipment, { operation: 'create', number: 1, requestId: '' });
  await endAttempt(em, ours, { outcome });
  const [theirs] = await em.execute<{ id: number }[]>(
    `insert into shipment_attempts (company_id, shipment_id, operation, number, reference) values (?, ?, 'cancel', 2, '') returning id`,
    [shipment.companyId, shipmentId],
  );
  await em.execute('update shipment_attempts set outcome = ?, ended_at = now() where id = ?', [former, theirs?.id]);
  await em.execute(
    `insert into shipment_attempts (company_id, shipment_id, operation, number, reference, outcome) values (?, ?, 'resolve', 3, '', ?)`,
    [shipment.companyId, shipmentId, former],
  );

  const rows = await em.execute('select outcome, result from shipment_attempts where shipment_id = ?', [shipmentId]);

  expect(rows).toEqual(Array.from({ length: 3 }, () => ({ outcome: former, result: outcome })));
});
