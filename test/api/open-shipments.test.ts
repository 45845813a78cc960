import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import { addCompany, demoContract } from './second-company.ts';
import { bookOrder, createOrder, transmitOrder } from './ship-orders.ts';

let test: TestApp;

beforeAll(async () => {
  test = await startTestApp({ queues: ['carrier-gls-it', 'carrier-dhl-express'] });
});
afterAll(() => test.stop());

it('GET /bordero/open counts what the evening takes, and names what is not transmitted with its reason', async () => {
  const contract = demoContract(test);
  const { headers } = await addCompany(test, 'sera', {
    contracts: [contract, { ...contract, key: 'altro', label: 'Altro', default: false }],
  });
  const read = async () => (await test.call('GET', '/bordero/open', undefined, headers)).body;
  const [main, other] = (await test.call('GET', '/carriers/contracts', undefined, headers)).body;
  const parcels = [{ weight_kg: 2 }, { weight_kg: 0.5 }];
  await transmitOrder(test, { parcels, payment_method: 'COD', cod_amount: 12.3 }, headers);
  await transmitOrder(test, {}, headers);
  await transmitOrder(test, { carrier_company_id: other.id }, headers);
  const late = await bookOrder(test, { order_number: 'late' }, headers);
  await createOrder(test, { order_number: 'not booked' }, headers);
  await test.fault('gls-it', 'CloseWorkDayByShipmentNumber', 'status-503', 9);
  await test.call('POST', '/shipment/transmit', [{ orderId: late.orderId }], headers);
  await test.clearFaults();

  const before = await read();
  const made = (await test.call('POST', '/bordero', { allTransmitted: true }, headers)).body.manifests;
  const after = await read();

  expect(before).toMatchObject([
    {
      carrierCompanyId: main.id,
      takesPickups: false,
      open: { shipments: 2, parcels: 3, weight: '3.300', codAmount: '12.30' },
      untransmitted: [{ ...late, orderNumber: 'late', isCreated: true, status: 'created', error: expect.any(String) }],
    },
    { carrierCompanyId: other.id, contractLabel: 'Altro', open: { shipments: 1 }, untransmitted: [] },
  ]);
  expect(before[0].warehouse.name).not.toBe('');
  expect(made.map((one: { totalShipments: number }) => one.totalShipments)).toEqual([2, 1]);
  expect(before[0].onBordero).toEqual({ shipments: 0, parcels: 0, weight: '0.000', codAmount: '0.00' });
  expect(after).toMatchObject([
    {
      open: { shipments: 0, weight: '0.000' },
      onBordero: { shipments: 2, weight: '3.300' },
      untransmitted: [{ orderNumber: 'late' }],
    },
    { open: { shipments: 0 }, onBordero: { shipments: 1 } },
  ]);
  expect((await test.call('GET', '/bordero/open')).body).toEqual([]);
});
