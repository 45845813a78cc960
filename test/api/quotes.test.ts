import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildOrder } from '../support/build-order.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import { addCompany, demoContract } from './second-company.ts';

let test: TestApp;

beforeAll(async () => {
  test = await startTestApp({ roles: ['api'] });
});
afterAll(() => test.stop());

async function order(overrides: Record<string, unknown> = {}): Promise<number> {
  const parcels = [{ weight_kg: 1.2, length_cm: 30, width_cm: 20, height_cm: 10 }];
  return (await test.call('POST', '/orders', buildOrder({ parcels, ...overrides }))).body.order.id;
}

it('puts every contract side by side, with the reason where one cannot take the order', async () => {
  const orderId = await order();

  const { status, body } = await test.call('GET', `/shipment/quotes?orderId=${orderId}`);

  expect(status).toBe(200);
  expect(body[0]).toMatchObject({ contract_label: 'GLS Bologna', eligible: true, reason: null, steps: [] });
  expect(body[0].quote).toEqual(
    (await test.call('GET', `/shipment/quote?orderId=${orderId}&carrierCompanyId=${test.contractId}`)).body,
  );
  const reasons = new Map(body.map((one: { carrier_name: string; reason: string }) => [one.carrier_name, one.reason]));
  expect(reasons.get('Poste Italiane')).toBe('The contract Poste Italiane has no price list');
  expect(reasons.get('InPost')).toContain('choose a pick-up point');
});

it('says which contracts take no cash on delivery', async () => {
  const orderId = await order({ payment_method: 'COD', cod_amount: 30 });

  const { body } = await test.call('GET', `/shipment/quotes?orderId=${orderId}`);

  const dhl = body.find((one: { carrier_name: string }) => one.carrier_name === 'DHL Express');
  expect(dhl).toMatchObject({ eligible: false, reason: 'The contract DHL Express takes no cash on delivery' });
});

it('explains a price when asked, to the cent', async () => {
  const { body } = await test.call('GET', `/shipment/quotes?orderId=${await order()}&explain=true`);

  const [gls] = body;
  const cents = (amount: string | null) => Math.round(Number(amount ?? 0) * 100);
  const sum = gls.steps.reduce((total: number, step: { amount: string | null }) => total + cents(step.amount), 0);
  expect(gls.steps.map((step: { rule: string }) => step.rule)).toContain('Zone ITALIA, Italia');
  expect(sum).toBe(cents(gls.quote.total_price_with_vat));
});

it("knows nothing of another company's order", async () => {
  const other = await addCompany(test, 'altra', { contracts: [demoContract(test)] });

  const answer = await test.call('GET', `/shipment/quotes?orderId=${await order()}`, undefined, other.headers);

  expect(answer.status).toBe(404);
});
