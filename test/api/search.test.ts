import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildOrder } from '../support/build-order.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import { addCompany } from './second-company.ts';
import { bookOrder, createOrder, readOrder } from './ship-orders.ts';

let test: TestApp;
let headers: Record<string, string>;
let gift: number;
let company: number;
let accent: number;

interface Hit {
  type: string;
  id: number;
  orderId: number;
  orderNumber: string;
  status: string;
  matched: string;
  value: string;
  match: string;
}

async function find(text: string, as = headers): Promise<Hit[]> {
  const { status, body } = await test.call('GET', `/search?q=${encodeURIComponent(text)}`, undefined, as);
  expect(status).toBe(200);
  return body;
}
const brief = (hits: Hit[]) => hits.map(({ orderId, matched, match }) => [orderId, matched, match]);
const shipping = (full_name: string, fields: Record<string, string> = {}) => ({
  ...(buildOrder().shipping as object),
  full_name,
  ...fields,
});

beforeAll(async () => {
  test = await startTestApp();
  ({ headers } = await addCompany(test, 'ricerca'));
  gift = await createOrder(
    test,
    {
      order_number: 'IT-4711',
      customer: { full_name: 'Giuseppe Ferrari', email: 'G.Ferrari@example.com', phone: '+39 347 123 4567' },
      shipping: shipping('Beatrice Colombo', { zip: '10121', phone: '' }),
      items: [{ sku: 'TAZZA-9', name: 'Tazza', quantity: 1, price: 10 }],
    },
    headers,
  );
  company = await createOrder(
    test,
    { order_number: 'IT-4712', shipping: shipping('Anna Verdi', { company: 'Officine Rossi & Figli S.r.l.' }) },
    headers,
  );
  accent = await createOrder(test, { order_number: 'X IT-47', shipping: shipping('Nicolò Fo') }, headers);
});
afterAll(() => test.stop());

describe('GET /search', () => {
  it.each([
    ['IT-4711', 'orderNumber', 'exact', 'IT-4711'],
    ['it-4711', 'orderNumber', 'exact', 'IT-4711'],
    ['g.ferrari@EXAMPLE.com', 'email', 'exact', 'G.Ferrari@example.com'],
    ['3471234567', 'phone', 'exact', '+39 347 123 4567'],
    ['0039 347-1234567', 'phone', 'exact', '+39 347 123 4567'],
    ['10121', 'zip', 'exact', '10121'],
    ['tazza-9', 'sku', 'exact', 'TAZZA-9'],
    ['tazza', 'sku', 'prefix', 'TAZZA-9'],
    ['g.ferr', 'email', 'prefix', 'G.Ferrari@example.com'],
    ['giuseppe ferrari', 'name', 'exact', 'Giuseppe Ferrari'],
    ['Ferrari Giuseppe', 'name', 'exact', 'Giuseppe Ferrari'],
    ['giusepe ferari', 'name', 'similar', 'Giuseppe Ferrari'],
    ['beatrice', 'name', 'exact', 'Beatrice Colombo'],
    ['colom', 'name', 'similar', 'Beatrice Colombo'],
    ['colmbo', 'name', 'similar', 'Beatrice Colombo'],
  ])('finds the order by %j', async (text, matched, match, value) => {
    const [hit] = await find(text);

    expect(hit).toEqual({
      type: 'order',
      id: gift,
      orderId: gift,
      orderNumber: 'IT-4711',
      status: 'pending',
      matched,
      match,
      value,
    });
  });

  it('finds companies and names with accents', async () => {
    expect(brief(await find('officine rosi'))).toEqual([[company, 'company', 'similar']]);
    expect(brief(await find('nicolo'))).toEqual([[accent, 'name', 'similar']]);
    expect(await find('Zzyzx')).toEqual([]);
    expect(await find('" } \\ {x')).toEqual([]);
  });

  it('lists exact numbers before beginnings, and each order once', async () => {
    expect(brief(await find('IT-47'))).toEqual([
      [company, 'orderNumber', 'prefix'],
      [gift, 'orderNumber', 'prefix'],
    ]);
    expect((await find('IT-4711')).map(({ orderId }) => orderId)).toEqual([gift]);
  });

  it('finds a shipment by its tracking number and its reference, with its status', async () => {
    const { orderId, shipmentId } = await bookOrder(test, {}, headers);
    const [{ trackingNumber, reference }] = (await readOrder(test, orderId, headers)).shipments;

    for (const [text, matched] of [
      [trackingNumber, 'trackingNumber'],
      [reference.toLowerCase(), 'reference'],
    ]) {
      expect((await find(text))[0]).toMatchObject({
        type: 'shipment',
        id: shipmentId,
        orderId,
        matched,
        match: 'exact',
      });
    }
    expect((await find(trackingNumber))[0]?.status).toBe((await readOrder(test, orderId, headers)).shipments[0].status);
  });

  it('finds an order by its name as it is now', async () => {
    await test.app.deps.orm.em.fork().execute(
      `update customer_addresses set full_name = 'Ludovica Zanon' where company_id =
        (select company_id from orders where id = ?) and full_name = 'Nicolò Fo'`,
      [accent],
    );

    expect(brief(await find('ludovca zannon'))).toEqual([[accent, 'name', 'similar']]);
  });

  it('finds nothing of another company, and refuses an empty text', async () => {
    const other = await addCompany(test, 'altra');

    expect(await find('IT-4711', other.headers)).toEqual([]);
    expect(await find('giusepe ferari', other.headers)).toEqual([]);
    expect((await test.call('GET', '/search?q=%20', undefined, headers)).status).toBe(400);
    expect((await test.call('GET', '/search?q=a&kind=order', undefined, headers)).status).toBe(400);
  });
});
