import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { AddressVerdict } from '../../src/db/entities/index.ts';
import { purge } from '../../src/usecases/upkeep/purge.ts';
import { buildOrder } from '../support/build-order.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import { database } from '../usecases/engine.ts';
import { addCompany, demoContract, demoTariff, type SecondCompany } from './second-company.ts';

const MILANO = { provincia: 'MI', city: 'Milano', address: 'Via Torino, 5', zip: '20123' };
/** The pretend carrier has no such postal code in Milano. */
const UNKNOWN = { ...MILANO, address: 'Via Torino, 7', zip: '20200' };

let test: TestApp;
const contracts = new Map<string, number>();

beforeAll(async () => {
  test = await startTestApp({ queues: ['carrier-gls-it', 'carrier-brt', 'carrier-dhl-express'] });
  for (const { id, carrier } of (await test.call('GET', '/carriers/contracts')).body) contracts.set(carrier.code, id);
});
afterEach(async () => {
  await database(test).nativeDelete(AddressVerdict, {});
  await test.clearFaults();
});
afterAll(() => test.stop());

function check(carrier: string, question: Record<string, unknown> = {}, headers = {}) {
  const body = { carrierCompanyId: contracts.get(carrier), ...MILANO, ...question };
  return test.call('POST', '/shipment/check-address', body, headers);
}

/** Makes an order to the address and asks for its shipment; what the batch says of it. */
async function ship(carrier: string, { provincia, ...place }: typeof MILANO): Promise<{ message: string } | null> {
  const shipping = { full_name: 'Chiara Prova', ...place, province: provincia, country_code: 'IT' };
  const order = buildOrder({ shipping, carrier_company_id: contracts.get(carrier) });
  const orderId = (await test.call('POST', '/orders', order)).body.order.id;
  const created = await test.call('POST', '/shipment/create', [{ orderId }]);
  return created.body.details.errors[0] ?? null;
}

describe('an address check', () => {
  it.each(['gls-it', 'brt', 'dhl-express', 'ups', 'fedex', 'poste-it', 'inpost-it'])(
    'is answered for %s',
    async (carrier) => {
      const known = await check(carrier);
      const misspelt = await check(carrier, { city: 'INESISTENTE', zip: '00000' });

      expect(known.status).toBe(200);
      expect(known.body.status).toBe('ok');
      expect(known.body.addresses).toHaveLength(1);
      expect(Object.keys(known.body.addresses[0])).toHaveLength(20);
      expect(known.body.addresses[0]).toMatchObject({
        SiglaRegione: 'LOM',
        DescrizioneRegione: expect.stringMatching(/^lombardia$/i),
        SiglaProvincia: 'MI',
        Cap: '20123',
        Comune: expect.stringMatching(/^milano$/i),
      });
      expect(misspelt.status).toBe(200);
      expect(misspelt.body.status).not.toBe('ok');
    },
  );

  it('says who answered and how sure that is', async () => {
    expect((await check('gls-it')).body.message).toBe('GLS Italy: Destinazione corretta.');
    expect((await check('brt')).body.message).toMatch(/^BRT: .*It says nothing about the street\.$/);
    expect((await check('dhl-express')).body.message).toMatch(/^DHL Express: .*It says nothing about the street\.$/);
    expect((await check('fedex')).body.message).toMatch(/^FedEx checks no addresses\. .*The street was not checked\.$/);
  });

  it('takes the province by its name', async () => {
    expect((await check('gls-it', { provincia: 'Milano' })).body.status).toBe('ok');
    expect((await check('ups', { provincia: 'milano' })).body.status).toBe('ok');
  });

  it('has the candidates of the carrier best first', async () => {
    const { body } = await check('gls-it', { provincia: 'NA', city: 'Capry', zip: '80073' });

    expect(body.status).toBe('ambiguous');
    expect(body.addresses[0].Comune).toBe('CAPRI');
  });

  it('that needs no carrier is an operation like every other, also when it is repeated', async () => {
    const headers = { 'idempotency-key': 'check-1' };

    const first = await check('ups', {}, headers);
    const again = await check('ups', {}, headers);

    expect(first.status).toBe(200);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.body).toEqual(first.body);
  });

  it('needs a contract of the company', async () => {
    const refused = await test.call('POST', '/shipment/check-address', { carrierCompanyId: 2_000_000_000, ...MILANO });

    expect(refused.status).toBe(422);
    expect(refused.body.violations).toMatchObject([{ pointer: '/carrierCompanyId' }]);
  });
});

describe("a carrier's answer about an address", () => {
  it('is kept without the address, the newest word only', async () => {
    await check('gls-it', UNKNOWN);
    await check('gls-it', UNKNOWN);
    await check('ups', UNKNOWN);

    const verdicts = await database(test).find(AddressVerdict, {});
    expect(verdicts).toMatchObject([{ status: 'not_found', flags: {}, companyId: test.demo.companyId }]);
    expect(JSON.stringify(verdicts)).not.toMatch(/Torino/i);
  });

  it('is what a surcharge may depend on, of its company only', async () => {
    const surcharges = [
      { name: 'ZTL', kind: 'fixed', amount: 3, when: { areas: ['ZTL'] } },
      { name: 'Disagiata', kind: 'fixed', amount: 7, when: { areas: ['DISADVANTAGED'] } },
    ];
    const declared = { tariffs: [{ ...demoTariff(test), surcharges }], contracts: [demoContract(test)] };
    const [asking, silent] = [await addCompany(test, 'chiede', declared), await addCompany(test, 'tace', declared)];
    const surchargeOf = async ({ headers }: SecondCompany) => {
      const { body } = await test.call('POST', '/orders', buildOrder(), headers);
      const quotes = await test.call('GET', `/shipment/quotes?orderId=${body.order.id}`, undefined, headers);
      return quotes.body[0].quote.surcharge_price;
    };
    const before = await surchargeOf(asking);
    const [contract] = (await test.call('GET', '/carriers/contracts', undefined, asking.headers)).body;

    await check('gls-it', { carrierCompanyId: contract.id }, asking.headers);

    expect([before, await surchargeOf(asking), await surchargeOf(silent)]).toEqual(['0.00', '3.00', '0.00']);
  });

  it('is forgotten after ninety days', async () => {
    await check('gls-it', UNKNOWN);
    await check('gls-it');
    await database(test).execute(
      `update address_verdicts set checked_at = now() - interval '91 days' where status = 'not_found'`,
    );

    await purge(test.app.deps);

    expect((await database(test).find(AddressVerdict, {})).map(({ status }) => status)).toEqual(['ok']);
  });
});

describe('creating a shipment', () => {
  it('is refused with the words of a carrier that did not find the address, and only with that carrier', async () => {
    const before = await ship('gls-it', UNKNOWN);
    await check('gls-it', UNKNOWN);
    const spelt = { ...UNKNOWN, city: 'MILANO', address: 'VIA TORINO 7' };

    const refused = await ship('gls-it', spelt);
    const elsewhere = await ship('brt', spelt);

    expect(before).toBeNull();
    expect(refused?.message).toMatch(/^GLS Italy did not find this address: Indirizzo non identificato/);
    expect(elsewhere).toBeNull();
  });

  it('is refused for that address only', async () => {
    await check('gls-it', UNKNOWN);

    expect(await ship('gls-it', { ...UNKNOWN, zip: '20123' })).toBeNull();
    expect(await ship('gls-it', { ...UNKNOWN, address: 'Via Torino, 8' })).toBeNull();
  });

  it('is not refused any more after a day, nor when the carrier finds it meanwhile', async () => {
    await check('gls-it', UNKNOWN);
    await database(test).execute(`update address_verdicts set checked_at = now() - interval '25 hours'`);
    const nextDay = await ship('gls-it', UNKNOWN);
    await database(test).execute(`update address_verdicts set checked_at = now(), status = 'ok'`);
    const found = await ship('gls-it', UNKNOWN);

    expect(nextDay).toBeNull();
    expect(found).toBeNull();
  });

  it('is not refused for what another company was told', async () => {
    const other = await addCompany(test, 'terza');
    const [own] = (await test.call('GET', '/carriers/contracts', undefined, other.headers)).body;
    await test.call('POST', '/shipment/check-address', { carrierCompanyId: own.id, ...UNKNOWN }, other.headers);

    expect(await ship('gls-it', UNKNOWN)).toBeNull();
  });

  it('tells the reason among the quotes too', async () => {
    await check('gls-it', UNKNOWN);
    const shipping = { full_name: 'Chiara Prova', ...UNKNOWN, province: 'MI', country_code: 'IT' };
    const orderId = (await test.call('POST', '/orders', buildOrder({ shipping }))).body.order.id;

    const quotes = (await test.call('GET', `/shipment/quotes?orderId=${orderId}`)).body;

    expect(JSON.stringify(quotes)).toContain('GLS Italy did not find this address');
  });

  it.each([
    ['a province that does not exist', { state: 'XX' }, 'There is no Italian province "XX"'],
    ['a postal code too short', { zip: '2012' }, '"2012" has not the form of a postal code of IT'],
    [
      'a foreign postal code of the wrong form',
      { country_code: 'DE', country: 'DE', zip: 'ABC' },
      '"ABC" has not the form of a postal code of DE',
    ],
  ])('is refused to %s, before anything is booked', async (_title, place, message) => {
    const { body } = await test.call('POST', '/orders', buildOrder({ carrier_company_id: contracts.get('gls-it') }));
    for (const [name, value] of Object.entries(place)) {
      await database(test).execute(`update customer_addresses set ${name} = ? where id = ?`, [
        value,
        body.customerAddress.id,
      ]);
    }

    const created = await test.call('POST', '/shipment/create', [{ orderId: body.order.id }]);
    const order = (await test.call('GET', `/orders/${body.order.id}`)).body;

    expect(created.body.details.errors[0].message).toContain(message);
    expect(order.shipments).toEqual([]);
  });
});
