import { afterAll, beforeAll, expect, it } from 'vitest';
import { ShipmentAttempt } from '../../src/db/entities/index.ts';
import { beginAttempt, endAttempt, NEVER_SEEN } from '../../src/engine/attempts.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import { database, orderShipment, readShipment } from '../usecases/engine.ts';

let test: TestApp;

beforeAll(async () => {
  test = await startTestApp({ roles: ['api'] });
});
afterAll(() => test.stop());

type End = Parameters<typeof endAttempt>[2];

it.each<[string, End[], string]>([
  ['what it ended with', [{ outcome: 'no' }], 'no'],
  ['what a look-up found of an unknown one', [{ outcome: 'nobody_knows' }, { outcome: 'yes', isLookUp: true }], 'yes'],
  [
    'what the first of two look-ups found',
    [
      { outcome: 'no', code: NEVER_SEEN },
      { outcome: 'yes', isLookUp: true },
    ],
    'no',
  ],
  ["the carrier's own late answer", [{ outcome: 'no', code: NEVER_SEEN }, { outcome: 'yes' }], 'yes'],
  ['a refusal of the carrier', [{ outcome: 'no', code: 'refused' }, { outcome: 'yes' }], 'no'],
  ['what is known, whatever a run that knows less says', [{ outcome: 'yes' }, { outcome: 'nobody_knows' }], 'yes'],
  ['yes, when a late look-up finds nothing any more', [{ outcome: 'yes' }, { outcome: 'no', isLookUp: true }], 'yes'],
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
