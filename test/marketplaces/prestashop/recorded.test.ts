import { existsSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ImportedOrder } from '../../../src/marketplaces/adapter.ts';
import { prestashop } from '../../../src/marketplaces/prestashop/index.ts';
import { callerOf, failureOf } from '../call-marketplace.ts';

/** Answers of a real PrestaShop 1.7.7.4, recorded 2026-11-22; they are not part of this repository. */
const FILE = path.resolve('../shared/recorded/prestashop-1.7.7.4.json');
interface Answer {
  status: number;
  body: Record<string, { id: number; id_order?: number }[]>;
}
const recorded = existsSync(FILE) ? (JSON.parse(readFileSync(FILE, 'utf8')) as Record<string, Answer>) : null;

/** Like the shop: what was recorded of a resource, filtered by the ids that are asked for; and no PATCH at all. */
function startShop(): Server {
  return createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://shop');
    const resource = url.pathname.split('/')[2] ?? '';
    const isPatch = request.method === 'PATCH';
    const { status, body } = (isPatch ? recorded?.patch : recorded?.[resource]) ?? { status: 404, body: {} };
    const written = /<id>(\d+)</;
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      response.setHeader('content-type', 'application/json');
      if (request.method === 'PUT') {
        const [, id] = written.exec(Buffer.concat(chunks).toString('utf8')) ?? [];
        response.end(JSON.stringify({ order_carrier: { id: Number(id) } }));
        return;
      }
      const byId = url.searchParams.get('filter[id]')?.match(/\d+/g);
      const byOrder = url.searchParams.get('filter[id_order]')?.match(/\d+/g);
      const isLater = url.searchParams.get('filter[id]')?.startsWith('>');
      const rows = (body[resource] ?? []).filter(
        (row) => (!byId || byId.includes(String(row.id))) && (!byOrder || byOrder.includes(String(row.id_order))),
      );
      response.statusCode = status;
      response.end(JSON.stringify(isPatch ? body : isLater || rows.length === 0 ? [] : { [resource]: rows }));
    });
  });
}

describe.runIf(recorded)('a recorded answer of a real PrestaShop', () => {
  const server = startShop();
  let orders: ImportedOrder[];
  const caller = () => {
    const { port } = server.address() as AddressInfo;
    return callerOf(prestashop, { account: { url: `http://127.0.0.1:${port}`, key: 'K'.repeat(32) } });
  };
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const day = (hour: string) => new Date(`2026-11-22T${hour}Z`);
    orders = await caller().listAll({ modifiedAfter: day('00:00:00'), modifiedBefore: day('23:00:00') });
  });
  afterAll(() => server.close());

  test('is six orders, each in the state that its words have here', () => {
    expect(orders.map(({ externalNumber, state, currency }) => [externalNumber, state, currency])).toEqual([
      ['XKBKNABJK', 'cancelled', 'PLN'],
      ['OHSATSERP', 'shipped', 'PLN'],
      ['UOYEVOLI', 'open', 'PLN'],
      ['FFATNOMMJ', 'held', 'PLN'],
      ['KHWLILZLL', 'held', 'PLN'],
      [expect.any(String), 'shipped', 'PLN'],
    ]);
  });

  test('is an order of two lines, with its amounts and its address', () => {
    const [first] = orders;

    expect(first).toMatchObject({
      totalGross: '61.80',
      shippingGross: '2.00',
      createdAt: new Date('2026-11-22T07:13:16Z'),
      lines: [
        { externalLineId: '1', sku: 'demo_1', quantity: 1, unitPriceGross: '23.90' },
        { externalLineId: '2', sku: 'demo_3', quantity: 1, unitPriceGross: '35.90' },
      ],
      billing: { vatNumber: 'IT01234567890', taxCode: 'VRDGLI85A41A944K' },
      shipping: {
        fullName: 'Giulia Verdi',
        company: 'Bottega "Blu" & C.',
        phone: '3331112223',
        city: 'Bologna',
        province: 'BO',
        zip: '40121',
        countryCode: 'IT',
      },
      note: 'Citofonare & suonare',
      problems: [],
    });
  });

  test('is an order of which the only piece was refunded: nothing of it is shipped', () => {
    const [, , refunded] = orders;

    expect(refunded).toMatchObject({ state: 'open', lines: [] });
    expect(refunded?.problems).toEqual([expect.stringContaining('refunded or returned')]);
  });

  test('is an order paid to the courier', () => {
    expect(orders.at(-1)).toMatchObject({ cashOnDelivery: true, totalGross: expect.any(String) });
  });

  const confirmation = {
    externalOrderId: '2',
    lines: [],
    trackingNumber: 'YA610000011',
    carrierId: 'gls-it',
    carrierName: 'GLS Italy',
    trackingUrl: 'https://carrier.example/YA610000011',
    shippedOn: '2026-11-22',
  };

  test('is a shipment that the shop has already, with a link although its carrier has none', async () => {
    const shop = caller();

    expect(await shop.confirm(confirmation)).toMatchObject({
      alreadySent: true,
      transactionId: '2',
      trackingCarrier: 'My carrier',
      trackingUrl: 'https://carrier.example/YA610000011',
      status: 'Dostarczane',
    });
    expect(shop.writes()).toEqual([]);
  });

  test('is a shop that refuses PATCH, and gets the corrected row as a whole', async () => {
    const shop = caller();

    await shop.confirm({ ...confirmation, trackingNumber: 'YA610000099', replacedNumbers: ['YA610000011'] });

    const put = shop.exchanges.at(-1);
    expect(shop.writes()).toEqual(['order_carriers.patch', 'order_carriers.update']);
    expect(put?.requestBody).toContain('<tracking_number>YA610000099</tracking_number>');
    expect(put?.requestBody).toContain('<shipping_cost_tax_incl>2.000000</shipping_cost_tax_incl>');
  });

  test('is a number of another shipment, which stays', async () => {
    const error = await failureOf(caller().confirm({ ...confirmation, trackingNumber: 'YA610000099' }));

    expect(error).toMatchObject({ kind: 'permanent', code: 'already_shipped' });
  });
});

test.skipIf(recorded)('passes without the recorded answers of PrestaShop', () => {
  console.log('prestashop-1.7.7.4.json is not here: nothing is compared with a real shop.');
  expect(existsSync(FILE)).toBe(false);
});
