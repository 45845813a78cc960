import { afterAll, beforeAll, expect, it } from 'vitest';
import { createUser } from '../../src/usecases/people/users.ts';
import { forgetAskedOrders } from '../../src/usecases/persons/forget-old.ts';
import { forgetAgain, listWishes } from '../../src/usecases/persons/forget-person.ts';
import { createKey } from '../../src/usecases/setup/api-keys.ts';
import { scanRows } from '../support/byte-scan.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import { addCompany } from './second-company.ts';
import { bookOrder, createOrder } from './ship-orders.ts';

let test: TestApp;
let admin: Record<string, string>;
let key: string;

beforeAll(async () => {
  test = await startTestApp({ queues: ['carrier-gls-it'] });
  const [company] = await companies();
  key = company?.key ?? '';
  const made = await createKey(test.app.deps, { companyKey: key, name: 'admin', expiresAt: null, scopes: ['admin'] });
  admin = { 'x-api-key': made.key };
});
afterAll(() => test.stop());

async function companies(): Promise<{ key: string }[]> {
  return test.app.deps.orm.em.fork().execute('select key from companies order by id');
}

async function ask(verb: string, body: object, headers: Record<string, string> = admin, company = key) {
  const answer = await fetch(`${test.app.url}/api/v1/admin/companies/${company}/persons/${verb}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
  return { status: answer.status, body: (await answer.json()) as any };
}

const personOf = (name: string) => ({
  customer: { full_name: `${name} Rossi`, email: `${name}@example.com`, phone: '+39 051 7654321' },
  shipping: {
    full_name: `${name} Rossi`,
    address: `Via ${name}, 4`,
    city: 'Milano',
    province: 'MI',
    zip: '20123',
    country_code: 'IT',
    phone: '0517654321',
  },
});
const idsOf = ({ body }: { body: { orders: { orderId: number }[] } }) => body.orders.map(({ orderId }) => orderId);

it('finds a person by mail, phone, and name with postal code, in any spelling', async () => {
  const orderId = await createOrder(test, personOf('Zzfinda'));
  const found = [
    await ask('find', { email: ' ZZFINDA@example.com ' }),
    await ask('find', { phone: '0039-051.765.4321' }),
    await ask('find', { full_name: 'rossi ZZFINDA', postal_code: '20123' }),
    await ask('find', { full_name: 'Zzfinda Rossi', postal_code: '20124' }),
    await ask('find', { full_name: 'Zzfinda Bianchi Rossi', postal_code: '20124' }),
  ];

  expect(found.map(idsOf)).toEqual([[orderId], [orderId], [orderId], [], []]);
  expect(found[0]?.body.orders[0]).toMatchObject({ status: 'pending', hold: 'order-open' });
});

it('exports the rows of a person with their tables', async () => {
  const { orderId } = await bookOrder(test, personOf('Zzexporta'));
  const { body } = await ask('export', { email: 'zzexporta@example.com' });

  expect(idsOf({ body })).toEqual([orderId]);
  expect(Object.keys(body.held)).toEqual(
    expect.arrayContaining([
      'customer_addresses',
      'customers',
      'documents',
      'exchanges',
      'order_items',
      'orders',
      'shipments',
    ]),
  );
  expect(JSON.stringify(body.held.exchanges).toLowerCase()).toContain('zzexporta');
  expect(Buffer.from(body.held.documents[0].base64, 'base64').subarray(0, 4).toString()).toBe('%PDF');
});

it('erases what is over at once, and the rest within a tick of its end', async () => {
  const over = await createOrder(test, personOf('Zzerasea'));
  const open = await createOrder(test, personOf('Zzerasea'));
  const other = await createOrder(test, personOf('Zzothera'));
  await test.call('POST', `/orders/${over}/cancel`, {});

  const first = await ask('erase', { email: 'zzerasea@example.com' });
  const idle = await forgetAskedOrders(test.app.deps);
  await test.call('POST', `/orders/${open}/cancel`, {});
  const ended = await forgetAskedOrders(test.app.deps);
  const left = await scanRows(test.app.config.databaseUrl ?? '', ['zzerasea']);
  const reopened = await test.call('POST', `/orders/${over}/reopen`, {});

  expect(first).toMatchObject({
    status: 200,
    body: { erased: [over], held: [{ orderId: open, reason: 'order-open' }] },
  });
  expect([idle, ended]).toEqual([0, 1]);
  expect(left).toEqual([]);
  expect(reopened).toMatchObject({ status: 422, body: { detail: expect.stringContaining('erased') } });
  expect(idsOf(await ask('find', { email: 'zzothera@example.com' }))).toEqual([other]);
  expect(await ask('erase', { email: 'zzerasea@example.com' })).toMatchObject({ body: { erased: [], held: [] } });
});

it('polls no parcel of a forgotten order, because its carrier may name the person', async () => {
  const { orderId, shipmentId } = await bookOrder(test, personOf('Zzpolla'));
  const em = test.app.deps.orm.em.fork();
  await em.execute(`update shipments set process_status = 'transmitted', expired_at = now() where id = ?`, [
    shipmentId,
  ]);
  await em.execute(`update orders set status = 'shipped' where id = ?`, [orderId]);
  const erased = await ask('erase', { email: 'zzpolla@example.com' });

  const polled = await test.call('POST', `/shipment/${shipmentId}/poll`);

  expect(erased.body).toEqual({ erased: [orderId], held: [] });
  expect(polled).toMatchObject({ status: 422, body: { detail: expect.stringContaining('erased') } });
});

it('leaves a row in the audit log with the orders and without the person', async () => {
  const orderId = await createOrder(test, personOf('Zzaudita'));
  await test.call('POST', `/orders/${orderId}/cancel`, {});
  await ask('erase', { email: 'zzaudita@example.com' });

  const rows = await test.app.deps.orm.em
    .fork()
    .execute(
      `select actor, targets, target_count, status from audit_log where operation ilike '%erase' order by id desc limit 1`,
    );
  expect(rows).toEqual([
    { actor: expect.stringMatching(/^key:/), targets: [`order:${orderId}`], target_count: 1, status: 200 },
  ]);
  expect(JSON.stringify(await test.app.deps.orm.em.fork().execute('select * from audit_log'))).not.toContain(
    'zzaudita',
  );
});

it('forgets again what a backup brings back, and leaves newer orders of the person alone', async () => {
  const early = await createOrder(test, personOf('Zzagaina'));
  await test.call('POST', `/orders/${early}/cancel`, {});
  const em = test.app.deps.orm.em.fork();
  await em.execute('create table kept_orders as select * from orders where id = ?', [early]);
  await em.execute('create table kept_customers as select * from customers where full_name like ?', ['Zzagaina%']);
  await ask('erase', { email: 'zzagaina@example.com' });
  const wishes = (await listWishes(test.app.deps)).slice(-1);
  const late = await createOrder(test, personOf('Zzagaina'));
  await test.call('POST', `/orders/${late}/cancel`, {});
  // As a backup would: the rows, and no wish.
  await em.execute(
    'update customers c set full_name = k.full_name, email = k.email, phone = k.phone from kept_customers k where k.id = c.id',
  );
  await em.execute('update orders set forgotten_at = null, forget_asked_at = null where id = ?', [early]);
  await em.execute('delete from forgotten_people');

  expect(JSON.stringify(wishes)).not.toContain('zzagaina');
  // The hash alone finds the order, as it does when the order has another id.
  const byHash = await forgetAgain(
    test.app.deps,
    wishes.map((wish) => ({ ...wish, orderIds: [] })),
  );
  expect(byHash).toEqual({ erased: [early], held: [] });
  expect(idsOf(await ask('find', { email: 'zzagaina@example.com' }))).toEqual([late]);
  expect(await listWishes(test.app.deps)).toMatchObject([{ orderIds: [early], askedAt: wishes[0]?.askedAt }]);
  await em.execute('drop table kept_orders, kept_customers');
});

it('refuses a search that is too vague, naming the field', async () => {
  const pointers = async (body: object) => {
    const answer = await ask('find', body);
    return [answer.status, ...(answer.body.violations ?? []).map(({ pointer }: { pointer: string }) => pointer)];
  };

  expect(await pointers({ full_name: 'Mario Rossi' })).toEqual([400, '/postal_code']);
  expect(await pointers({ postal_code: '20123' })).toEqual([400, '/full_name']);
  expect(await pointers({ phone: '12345' })).toEqual([400, '/phone']);
  expect(await pointers({})).toEqual([400, '/email']);
  expect(await pointers({ email: 'a@example.com', phone: '0517654321' })).toEqual([400, '/email']);
});

it('shows no person of another company, and nothing to a viewer or a key without the scope', async () => {
  const orderId = await createOrder(test, personOf('Zzforeigna'));
  await test.call('POST', `/orders/${orderId}/cancel`, {});
  const other = await addCompany(test, 'persons-other');
  const [, second] = await companies();
  const theirs = await createKey(test.app.deps, {
    companyKey: second?.key ?? '',
    name: 'admin',
    expiresAt: null,
    scopes: ['admin'],
  });
  const email = { email: 'zzforeigna@example.com' };
  const plain = await createKey(test.app.deps, {
    companyKey: key,
    name: 'x',
    expiresAt: null,
    scopes: ['orders:write'],
  });
  const own = { 'x-api-key': theirs.key };
  const { password } = await createUser(test.app.deps, {
    email: 'viewer@example.com',
    name: '',
    role: 'viewer',
    companyKey: key,
  });
  const login = await fetch(`${test.app.url}/api/v1/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: test.app.url },
    body: JSON.stringify({ email: 'viewer@example.com', password }),
  });
  const viewer = { cookie: login.headers.get('set-cookie')?.split(';')[0] ?? '', origin: test.app.url };

  expect(other).toBeDefined();
  expect(await ask('erase', email, own, second?.key)).toMatchObject({ status: 200, body: { erased: [], held: [] } });
  expect((await ask('erase', email, own)).status).toBe(404);
  expect((await ask('erase', email, { 'x-api-key': plain.key })).status).toBe(403);
  expect((await ask('erase', email, viewer)).status).toBe(403);
  expect(idsOf(await ask('find', email))).toEqual([orderId]);
});
