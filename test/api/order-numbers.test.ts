import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildOrder } from '../support/build-order.ts';
import { type Answer, startTestApp, type TestApp } from '../support/test-app.ts';
import { addCompany, declareCompany, type SecondCompany } from './second-company.ts';

const UNIQUE = { settings: { unique_order_numbers: true } };

let test: TestApp;
let company: SecondCompany;
let twice: number[];

beforeAll(async () => {
  test = await startTestApp({ roles: ['api'] });
  company = await addCompany(test, 'numeri');
  const before = [await create('A-100'), await create('A-100')];
  twice = before.map(({ body }) => body.order.id);
  await declareCompany(test, 'numeri', UNIQUE);
  // The api keeps the settings until PostgreSQL says that they changed.
  await test.until(
    () => create('probe'),
    ({ status }) => status === 409,
  );
});
afterAll(() => test.stop());

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
function create(orderNumber: string | null, headers: Record<string, string> = company.headers): Promise<Answer<any>> {
  return test.call('POST', '/orders', buildOrder({ order_number: orderNumber }), headers);
}

function taken(orderId: number, orderNumber: string) {
  return {
    status: 409,
    body: {
      code: 'order-number-taken',
      detail: `Order ${orderId} has the order_number "${orderNumber}" already`,
      orderId,
      retryable: false,
    },
  };
}

describe('the order number of a company that wants it unique', () => {
  it('is refused when the company has it, also twice from before, and the oldest order is named', async () => {
    const [oldest = 0] = twice;

    const again = await create('A-100');

    expect(new Set(twice).size).toBe(2);
    expect(again).toMatchObject(taken(oldest, 'A-100'));
  });

  // The first ones find no open connections, which makes them one after the other.
  it.each(['B-1', 'B-2', 'B-3', 'B-4', 'B-5'])('is given once when many ask at the same moment: %s', async (number) => {
    const answers = await Promise.all(Array.from({ length: 12 }, () => create(number)));

    const [made, ...others] = answers.toSorted((a, b) => a.status - b.status);
    const listed = await test.call('GET', `/orders?orderNumber=${number}`, undefined, company.headers);
    expect(made?.status).toBe(201);
    for (const other of others) expect(other).toMatchObject(taken(made?.body.order.id, number));
    expect(listed.body).toHaveLength(1);
  });

  it('is repeated under the same Idempotency-Key, and refused under another', async () => {
    const [first, second] = [
      { ...company.headers, 'idempotency-key': 'numeri-1' },
      { ...company.headers, 'idempotency-key': 'numeri-2' },
    ];

    const made = await create('A-300', first);
    const replayed = await create('A-300', first);
    const other = await create('A-300', second);

    expect(made.status).toBe(201);
    expect(replayed).toMatchObject({ status: 201, body: { order: { id: made.body.order.id } } });
    expect(other).toMatchObject(taken(made.body.order.id, 'A-300'));
  });

  it('may be omitted, and does not conflict with other companies', async () => {
    const unnamed = [await create(null), await create(null)];
    const elsewhere = [await create('A-100', {}), await create('A-100', {})];

    expect([...unnamed, ...elsewhere].map(({ status }) => status)).toEqual([201, 201, 201, 201]);
  });
});
