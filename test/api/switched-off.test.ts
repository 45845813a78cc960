import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import { addCompany, declareCompany, demoConnection, demoContract, type SecondCompany } from './second-company.ts';
import { createOrder } from './ship-orders.ts';

const NOBODYS = 2_000_000_000;
const ADDRESS = { provincia: 'MI', city: 'Milano', address: 'Via Torino, 5', zip: '20123' };

let test: TestApp;
let shop: SecondCompany;
let orderId: number;
let contractId: number;
let connectionId: number;

beforeAll(async () => {
  test = await startTestApp({ roles: ['api'] });
  shop = await addCompany(test, 'spenta');
  const own = (path: string) => test.call('GET', path, undefined, shop.headers);
  contractId = (await own('/carriers/contracts')).body[0].id;
  connectionId = (await own('/marketplace/connected')).body[0].id;
  const marketplace = { connection_id: connectionId, order_id: '77', order_number: '77' };
  orderId = await createOrder(test, { marketplace, carrier_company_id: contractId }, shop.headers);
  await declareCompany(test, 'spenta', {
    contracts: [{ ...demoContract(test), label: 'GLS Sede', connected: false, default: false }],
    connections: [{ ...demoConnection(test), label: 'Negozio', connected: false }],
  });
});
afterAll(() => test.stop());

const questions = (contract: number): Record<string, () => ReturnType<TestApp['call']>> => ({
  'a quote': () => ask('GET', `/shipment/quote?orderId=${orderId}&carrierCompanyId=${contract}`),
  'live rates': () => ask('GET', `/shipment/live-rates?orderId=${orderId}&carrierCompanyId=${contract}`),
  'an address check': () => ask('POST', '/shipment/check-address', { carrierCompanyId: contract, ...ADDRESS }),
});
const ask = (method: string, path: string, body?: unknown) => test.call(method, path, body, shop.headers);
const messageOf = (answer: Awaited<ReturnType<TestApp['call']>>): string => answer.body.details.errors[0].message;

describe('a contract that was switched off', () => {
  it.each(Object.keys(questions(0)))('is named so by %s, and one that does not exist is not', async (name) => {
    const off = await questions(contractId)[name]?.();
    const nobodys = await questions(NOBODYS)[name]?.();

    expect(off).toMatchObject({
      status: 422,
      body: { detail: `Contract GLS Sede (id ${contractId}) is switched off` },
    });
    expect(nobodys?.body.detail).toBe('There is no such carrier contract');
  });

  it('is named so by a booking, whether the order or the element asks for it', async () => {
    const ofOrder = await ask('POST', '/shipment/create', [{ orderId }]);
    const ofElement = await ask('POST', '/shipment/create', [{ orderId, carrierCompanyId: contractId }]);
    const foreign = await ask('POST', '/shipment/create', [{ orderId, carrierCompanyId: test.contractId }]);

    expect(messageOf(ofOrder)).toBe(`Contract GLS Sede (id ${contractId}) is switched off`);
    expect(messageOf(ofElement)).toBe(`Contract GLS Sede (id ${contractId}) is switched off`);
    expect(messageOf(foreign)).toBe(`There is no carrier contract ${test.contractId}`);
  });
});

describe('a connection that was switched off', () => {
  it('is named so when its shop is to be told', async () => {
    const sent = await ask('POST', `/orders/${orderId}/send-to-marketplace`);

    expect(sent).toMatchObject({
      status: 200,
      body: { Result: 'KO', ErrorMessage: `Connection Negozio (id ${connectionId}) is switched off` },
    });
  });
});
