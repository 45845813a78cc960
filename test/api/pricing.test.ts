import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { buildOrder } from '../support/build-order.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import { addCompany, declareCompany, demoContract, demoTariff, type SecondCompany } from './second-company.ts';

let test: TestApp;
let now = new Date('2026-11-21T10:00:00Z');

beforeAll(async () => {
  test = await startTestApp({
    roles: ['api', 'worker'],
    queues: ['gls-it', 'dhl-express', 'ups', 'fedex'].map((code) => `carrier-${code}`),
    now: () => now,
  });
});
afterEach(() => {
  now = new Date('2026-11-21T10:00:00Z');
  return test.clearFaults();
});
afterAll(() => test.stop());

const PARCELS = [{ weight_kg: 1.2, length_cm: 30, width_cm: 20, height_cm: 10 }];

async function order(company: SecondCompany | null, overrides: Record<string, unknown> = {}): Promise<number> {
  const body = buildOrder({ parcels: PARCELS, ...overrides });
  return (await test.call('POST', '/orders', body, company?.headers)).body.order.id;
}

async function firstContract(company: SecondCompany): Promise<number> {
  return (await test.call('GET', '/carriers/contracts', undefined, company.headers)).body[0].id;
}

/** A price list of one price for Italy. */
function flat(key: string, price: number, more: Record<string, unknown> = {}): Record<string, unknown> {
  const sale = { brackets: [{ upToGrams: 50_000, price }] };
  return {
    key,
    name: `Listino ${price}`,
    zones: [{ code: 'IT', name: 'Italia', match: { countries: ['IT'] }, sale }],
    ...more,
  };
}

describe('a tariff', () => {
  it('charges by the price list of the day, which begins and ends at midnight of the company', async () => {
    const tariffs = [
      flat('gls-2026', 10, { valid_from: '2026-01-01', valid_to: '2027-02-28' }),
      flat('gls-2026', 11, { valid_from: '2027-01-01', valid_to: '2027-01-31' }),
    ];
    const company = await addCompany(test, 'edizioni', { tariffs, contracts: [demoContract(test)] });
    const contractId = await firstContract(company);
    const orderId = await order(company);
    const quote = async (at: string) => {
      now = new Date(at);
      const url = `/shipment/quote?orderId=${orderId}&carrierCompanyId=${contractId}`;
      const { status, body } = await test.call('GET', url, undefined, company.headers);
      return status === 200 ? body.total_price : body.detail;
    };

    expect(await quote('2026-12-31T22:59:00Z')).toBe('10.00');
    expect(await quote('2026-12-31T23:00:00Z')).toBe('11.00');
    const spans = 'it has one from 2026-01-01 until 2027-02-28, it has one from 2027-01-01 until 2027-01-31';
    expect(await quote('2027-02-01T10:00:00Z')).toBe(`The tariff has no price list for 2027-02-01: ${spans}`);
    expect(await quote('2025-12-31T10:00:00Z')).toBe(`The tariff has no price list for 2025-12-31: ${spans}`);
  });

  it('charges what another process just wrote', async () => {
    const company = await addCompany(test, 'altrove', {
      tariffs: [flat('gls-2026', 10)],
      contracts: [demoContract(test)],
    });
    const url = `/shipment/quote?orderId=${await order(company)}&carrierCompanyId=${await firstContract(company)}`;
    const price = async () => (await test.call('GET', url, undefined, company.headers)).body.total_price;

    const before = await price();
    await test.app.deps.orm.em.fork().execute(
      `update tariff_editions set revision = revision + 1,
              price_list = jsonb_set(price_list, '{zones,0,sale,brackets,0,price}', '12.34') where company_id = ?`,
      [company.companyId],
    );

    expect([before, await price()]).toEqual(['10.00', '12.34']);
  });

  it('is without VAT where the goods leave the VAT area', async () => {
    const zones = [
      {
        code: 'W',
        name: 'Mondo',
        match: { countries: ['CH', 'DE'] },
        sale: { brackets: [{ upToGrams: 9000, price: 20 }] },
      },
    ];
    const company = await addCompany(test, 'estero', {
      settings: { vat_rates: { DE: '19' } },
      tariffs: [{ key: 'gls-2026', name: 'Mondo', zones }],
      contracts: [demoContract(test)],
    });
    const contractId = await firstContract(company);
    const vat = async (country_code: string, zip: string) => {
      const shipping = { full_name: 'U', address: 'Hauptstrasse 1', city: 'Stadt', zip, country_code, phone: '+411' };
      const url = `/shipment/quote?orderId=${await order(company, { shipping })}&carrierCompanyId=${contractId}`;
      return (await test.call('GET', url, undefined, company.headers)).body.vat_amount;
    };

    expect([await vat('CH', '8001'), await vat('DE', '10115')]).toEqual(['0.00', '3.80']);
  });
});

describe('services with a tariff of their own', () => {
  let company: SecondCompany;
  let contractId: number;
  const tariffs = [flat('gls-2026', 10), flat('express', 14), flat('saturday', 8)];
  const services = [
    { code: '22', tariff: 'express' },
    { code: '07', tariff: 'saturday' },
  ];

  beforeAll(async () => {
    company = await addCompany(test, 'servizi', {
      tariffs,
      contracts: [{ ...demoContract(test), services, default: false }],
    });
    contractId = await firstContract(company);
  });

  it('stand beside each other, cheapest first', async () => {
    const { body } = await test.call(
      'GET',
      `/shipment/quotes?orderId=${await order(company)}`,
      undefined,
      company.headers,
    );

    const seen = body.map((one: Record<string, unknown>) => [one.service_code, one.service_name, one.price, one.live]);
    expect(seen).toEqual([
      ['07', 'Consegna di sabato', '8.00', false],
      [null, null, '10.00', false],
      ['22', 'Express12', '14.00', false],
    ]);
  });

  it('price an order that names one of them by it alone', async () => {
    const orderId = await order(company, { carrier_options: ['22'] });

    const compared = await test.call('GET', `/shipment/quotes?orderId=${orderId}`, undefined, company.headers);
    const url = `/shipment/quote?orderId=${orderId}&carrierCompanyId=${contractId}`;
    const quote = await test.call('GET', url, undefined, company.headers);

    expect(compared.body.map((one: { price: string }) => one.price)).toEqual(['14.00']);
    expect(quote.body.total_price).toBe('14.00');
  });

  it('are booked when no contract is named and one of them is the cheapest', async () => {
    const orderId = await order(company);

    const { body } = await test.call('POST', '/shipment/create', [{ orderId }], company.headers);

    expect(body.details.success).toEqual([orderId]);
    const [shipment] = await test.app.deps.orm.em
      .fork()
      .execute<{ options: string[] }[]>('select options from shipments where order_id = ?', [orderId]);
    expect(shipment?.options).toEqual(['07']);
  });

  it('need a tariff that is there', async () => {
    const contracts = [{ ...demoContract(test), services: [{ code: '22', tariff: 'nowhere' }] }];

    await expect(declareCompany(test, 'servizi', { tariffs, contracts })).rejects.toThrow('there is no tariff nowhere');
  });
});

describe("a carrier's own prices", () => {
  const BERLIN = {
    full_name: 'G M',
    address: 'Hauptstrasse 5',
    city: 'Berlin',
    zip: '10115',
    country_code: 'DE',
    phone: '+4930123456',
  };
  let dhl: number;

  beforeAll(async () => {
    const { body } = await test.call('GET', '/carriers/contracts');
    dhl = body.find((one: { carrier: { code: string } }) => one.carrier.code === 'dhl-express').id;
  });

  const asked = async (): Promise<number> => {
    const [row] = await test.app.deps.orm.em
      .fork()
      .execute<{ n: number }[]>(
        `select count(*)::int as n from exchanges where operation = 'rates' and provider = 'dhl-express'`,
      );
    return row?.n ?? 0;
  };
  const ofDhl = (body: Record<string, unknown>[]) => body.filter((one) => one.carrier_company_id === dhl);

  it('are shown when they are asked for, and for a quarter of an hour afterwards', async () => {
    const orderId = await order(null, { shipping: BERLIN });
    const quotes = async (more = '') =>
      ofDhl((await test.call('GET', `/shipment/quotes?orderId=${orderId}${more}`)).body);
    const before = await asked();

    const unasked = await quotes();
    const live = await quotes('&live=true');
    const again = await quotes('&live=true');
    const alone = await test.call('GET', `/shipment/live-rates?orderId=${orderId}&carrierCompanyId=${dhl}`);
    const inBetween = await asked();
    now = new Date(now.getTime() + 15 * 60_000);
    const old = await quotes();
    await quotes('&live=true');

    expect(unasked.filter((one) => one.live)).toEqual([]);
    expect(live.filter((one) => one.live).map((one) => [one.service_code, one.eligible, one.currency])).toEqual([
      ['W', true, 'EUR'],
      ['U', true, 'EUR'],
    ]);
    expect(live[0]).toMatchObject({
      as_of: '2026-11-21T10:00:00.000Z',
      delivery_date: expect.stringMatching(/^2026-/),
    });
    expect(again).toEqual(live);
    expect(alone.body[0]).toMatchObject({
      service_code: 'W',
      price: live[0]?.price,
      as_of: '2026-11-21T10:00:00.000Z',
    });
    expect(inBetween).toBe(before + 1);
    expect(old.filter((one) => one.live)).toEqual([]);
    expect(await asked()).toBe(before + 2);
  });

  it('are another question when the parcel is another', async () => {
    const before = await asked();
    const one = await order(null, { shipping: BERLIN, parcels: [{ ...PARCELS[0], weight_kg: 3 }] });
    const other = await order(null, { shipping: BERLIN, parcels: [{ ...PARCELS[0], weight_kg: 3.1 }] });

    for (const orderId of [one, other, one]) await test.call('GET', `/shipment/quotes?orderId=${orderId}&live=true`);

    expect(await asked()).toBe(before + 2);
  });

  it('are missing with the reason when the carrier gives none', async () => {
    await test.fault('dhl-express', 'rates', 'status-500', 10);
    const orderId = await order(null, { shipping: BERLIN, parcels: [{ ...PARCELS[0], weight_kg: 4 }] });

    const { body } = await test.call('GET', `/shipment/quotes?orderId=${orderId}&live=true`);

    const reasons = ofDhl(body).map((one) => [one.eligible, one.reason]);
    expect(reasons).toEqual([
      [false, 'The contract DHL Express has no price list'],
      [false, expect.stringContaining('DHL')],
    ]);
  });

  it('stay within the company', async () => {
    const kept = await test.app.deps.orm.em
      .fork()
      .execute<{ company_id: number }[]>('select company_id from live_rates');

    expect(new Set(kept.map((row) => row.company_id))).toEqual(new Set([test.demo.companyId]));
  });
});

it('that are wrong are refused where they stand, with nothing written', async () => {
  const wrong = { ...demoTariff(test), valid_from: '2026-02-01', valid_to: '2026-01-01' };

  await expect(addCompany(test, 'sbagliata', { tariffs: [wrong] })).rejects.toThrow('must not be before valid_from');
});
