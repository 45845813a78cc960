import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Shipment } from '../../src/db/entities/index.ts';
import { systemEm } from '../../src/db/orm.ts';
import { settleMissingLabels } from '../../src/usecases/shipments/settle-booked.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import { addCompany } from './second-company.ts';
import { bookOrder, createOrder, readOrder } from './ship-orders.ts';

let test: TestApp;
let now = new Date();

type Headers = Record<string, string>;

const printedAt = async (orderId: number, headers: Headers): Promise<string | null> =>
  (await readOrder(test, orderId, headers)).shipments[0].printedAt;
const listed = async (printed: boolean, headers: Headers): Promise<number[]> =>
  (await test.call('GET', `/orders?printed=${printed}`, undefined, headers)).body.map(({ id }: { id: number }) => id);
const labels = (query: string, headers: Headers) => test.call('GET', `/labels?${query}`, undefined, headers);
const database = () => systemEm(test.app.deps.orm);

beforeAll(async () => {
  test = await startTestApp({ now: () => now });
});
afterAll(() => test.stop());

describe('printed labels', () => {
  it('are marked by the file that is given, and keep their first time', async () => {
    const { headers } = await addCompany(test, 'stampa');
    const one = await bookOrder(test, {}, headers);
    const two = await bookOrder(test, {}, headers);
    await createOrder(test, {}, headers);

    const looked = await labels(`orderIds=${one.orderId}`, headers);
    const before = [await printedAt(one.orderId, headers), await listed(false, headers), await listed(true, headers)];
    const given = await labels(`orderIds=${one.orderId}&mark=true`, headers);
    const first = await printedAt(one.orderId, headers);
    now = new Date(now.getTime() + 60_000);
    await labels(`orderIds=${one.orderId}&mark=true&layout=a4-4`, { ...headers, 'If-None-Match': '*' });

    expect([looked.status, given.status]).toEqual([200, 200]);
    expect(before).toEqual([null, [two.orderId, one.orderId], []]);
    expect(first).toBe(new Date(now.getTime() - 60_000).toISOString());
    expect(await printedAt(one.orderId, headers)).toBe(first);
    expect(await listed(false, headers)).toEqual([two.orderId]);
    expect(await listed(true, headers)).toEqual([one.orderId]);
  });

  it('are not given again to who asks for what waits', async () => {
    const { headers } = await addCompany(test, 'attesa');
    const orders = [await bookOrder(test, {}, headers), await bookOrder(test, {}, headers)];
    const scanned = await bookOrder(test, {}, headers);
    const cancelled = await bookOrder(test, {}, headers);
    await test.call('DELETE', `/shipment/${cancelled.shipmentId}`, undefined, headers);
    await database().nativeUpdate(Shipment, { id: scanned.shipmentId }, { pickedUpAt: now });

    const given = await labels('printed=false&mark=true', headers);
    const marks = await Promise.all([...orders, scanned].map(({ orderId }) => printedAt(orderId, headers)));
    const again = await labels('printed=false&mark=true', headers);

    expect(given.status).toBe(200);
    expect(marks).toEqual([now.toISOString(), now.toISOString(), null]);
    expect(again.status).toBe(422);
    expect(again.body.violations).toMatchObject([{ in: 'query', pointer: '/printed' }]);
  });

  it('of the other kind wait for a call of their own', async () => {
    const { headers } = await addCompany(test, 'tipi');
    const pdf = await bookOrder(test, {}, headers);
    const zpl = await bookOrder(test, {}, headers);
    await database().execute(`update documents set content_type = 'application/zpl' where shipment_id = ?`, [
      zpl.shipmentId,
    ]);

    await labels('printed=false&mark=true', headers);
    const afterPdf = await listed(false, headers);
    await labels('printed=false&mark=true&layout=zpl', headers);

    expect(afterPdf).toEqual([zpl.orderId]);
    expect(await listed(true, headers)).toEqual([zpl.orderId, pdf.orderId]);
  });

  it('are not marked by a file that broke off', async () => {
    const { headers } = await addCompany(test, 'rotta');
    const [one, two] = [await bookOrder(test, {}, headers), await bookOrder(test, {}, headers)];
    const { documents } = test.app.deps;
    const { get } = documents;
    let reads = 0;
    documents.get = (handle) => {
      reads += 1;
      return reads > 1 ? Promise.reject(new Error('broken')) : get(handle);
    };

    const broken = await labels('printed=false&mark=true', headers).catch((error: unknown) => error);
    documents.get = get;

    expect(broken).toBeInstanceOf(TypeError);
    expect(await listed(false, headers)).toEqual([two.orderId, one.orderId]);
  });

  it('are marked by hand, taken back, and unmarked when more of them arrive', async () => {
    const { headers } = await addCompany(test, 'mano');
    const { orderId, shipmentId } = await bookOrder(test, {}, headers);
    const mark = (body?: unknown) => test.call('POST', `/shipment/${shipmentId}/printed`, body, headers);

    const marked = await mark();
    const taken = await mark({ printed: false });
    const afterTaken = await printedAt(orderId, headers);
    const again = await mark({ printed: true });
    await database().nativeUpdate(Shipment, { id: shipmentId }, { labelMissingSince: now });
    const shipment = await database().findOneOrFail(Shipment, shipmentId);
    await settleMissingLabels(database(), { shipment, files: [] });
    const late = await printedAt(orderId, headers);
    await database().execute('delete from documents where shipment_id = ?', [shipmentId]);
    const bare = await mark();
    const faulty = await mark({ printed: 'yes' });

    expect(marked).toMatchObject({ status: 200, body: { shipmentId, printedAt: now.toISOString() } });
    expect(taken.body).toEqual({ shipmentId, printedAt: null });
    expect(afterTaken).toBeNull();
    expect(again.body.printedAt).toBe(now.toISOString());
    expect(late).toBeNull();
    expect(bare.status).toBe(422);
    expect(faulty.status).toBe(400);
  });
});
