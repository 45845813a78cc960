import { parse } from 'csv-parse/sync';
import readWorkbook from 'read-excel-file/node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Order, Shipment } from '../../src/db/entities/index.ts';
import { systemEm } from '../../src/db/orm.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import { addCompany } from './second-company.ts';
import { bookOrder, createOrder, transmitOrder } from './ship-orders.ts';

let test: TestApp;
let headers: Record<string, string>;
let plain: number;
let booked: { orderId: number; shipmentId: number };
let transmitted: { orderId: number; shipmentId: number };
const now = new Date('2026-11-22T22:30:00Z');

const database = () => systemEm(test.app.deps.orm);
const ids = async (path: string): Promise<number[] | number> => {
  const { status, body } = await test.call('GET', path, undefined, headers);
  return status === 200 ? body.map(({ id }: { id: number }) => id) : status;
};
const download = (path: string, accept?: string) =>
  fetch(`${test.app.url}/api/v1/external${path}`, { headers: { ...headers, ...(accept ? { accept } : {}) } });

beforeAll(async () => {
  test = await startTestApp({ now: () => now });
  ({ headers } = await addCompany(test, 'elenchi'));
  plain = await createOrder(test, { order_number: '=1+1', note: '@formula' }, headers);
  booked = await bookOrder(test, {}, headers);
  transmitted = await transmitOrder(test, {}, headers);
});
afterAll(() => test.stop());

describe('GET /shipments', () => {
  it('finds by each parameter, newest first', async () => {
    const both = [transmitted.shipmentId, booked.shipmentId];
    const [one] = (await test.call('GET', `/shipments?orderId=${booked.orderId}`, undefined, headers)).body;
    await test.call('POST', `/shipment/${booked.shipmentId}/printed`, {}, headers);
    await database().nativeUpdate(Shipment, { id: booked.shipmentId }, { deliveredAt: now });

    expect(await ids('/shipments')).toEqual(both);
    expect(one).toMatchObject({
      id: booked.shipmentId,
      orderId: booked.orderId,
      orderNumber: String(booked.orderId),
      manifestId: null,
      status: 'created',
    });
    const day = '2026-11-22';
    const found: [string, number[]][] = [
      ['status=created', [booked.shipmentId]],
      ['status=transmitted', [transmitted.shipmentId]],
      ['status=failed', []],
      [`carrierId=${one.carrier.id}`, both],
      ['carrierId=999', []],
      [`carrierCompanyId=${one.carrierCompanyId}`, both],
      [`trackingNumber=${one.trackingNumber}`, [booked.shipmentId]],
      [`reference=${one.reference}`, [booked.shipmentId]],
      ['direction=return', []],
      ['printed=true', [booked.shipmentId]],
      ['printed=false', [transmitted.shipmentId]],
      ['manifest=none', both],
      [`deliveredFrom=${day}`, [booked.shipmentId]],
      ['deliveredTo=2026-11-21', []],
      ['transmittedFrom=2000-01-01', [transmitted.shipmentId]],
      ['createdTo=2000-01-01', []],
    ];
    for (const [query, expected] of found) expect([query, await ids(`/shipments?${query}`)]).toEqual([query, expected]);
  });

  it('counts days on the wall clock of the company, and the last day whole', async () => {
    // 23:30 in Rome on the 22nd.
    expect(await ids('/shipments?deliveredFrom=2026-11-22&deliveredTo=2026-11-22')).toEqual([booked.shipmentId]);
    expect(await ids('/shipments?deliveredFrom=2026-11-23')).toEqual([]);
    expect(await ids('/shipments?deliveredTo=2026-11-22T22:30:00Z')).toEqual([booked.shipmentId]);
    expect(await ids('/shipments?deliveredTo=2026-11-22T22:29:59.999Z')).toEqual([]);
    expect(await ids('/shipments?createdFrom=22/11/2026')).toBe(400);
  });

  it('leads through its pages, and refuses unknown parameters', async () => {
    const first = await test.call('GET', '/shipments?limit=1', undefined, headers);
    const next = /<\/api\/v1\/external(.*)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? '';

    expect(first.body.map(({ id }: { id: number }) => id)).toEqual([transmitted.shipmentId]);
    expect(await ids(next)).toEqual([booked.shipmentId]);
    expect(await ids('/shipments?state=created')).toBe(400);
  });

  it('knows the bordero, and the warehouse by id or key', async () => {
    const { headers: own } = await addCompany(test, 'bordero');
    const { orderId, shipmentId } = await transmitOrder(test, {}, own);
    const carrierId = (await test.call('GET', '/shipments', undefined, own)).body[0].carrier.id;
    const made = await test.call('POST', '/bordero', { carrierId, orderIds: [orderId] }, own);
    const [warehouse] = (await test.call('GET', '/warehouses', undefined, own)).body;

    const read = async (query: string) =>
      (await test.call('GET', `/shipments?${query}`, undefined, own)).body.map(
        (row: { id: number; manifestId: number | null }) => [row.id, row.manifestId],
      );
    const { manifestId } = made.body;
    expect(await read(`manifestId=${manifestId}`)).toEqual([[shipmentId, manifestId]]);
    expect(await read('manifest=none')).toEqual([]);
    expect(await read(`warehouseId=${warehouse.id}`)).toEqual([[shipmentId, manifestId]]);
    expect(await read('warehouseId=nowhere')).toEqual([]);
    expect(await ids(`/shipments?manifestId=${manifestId}`)).toEqual([]);
  });
});

describe('GET /orders', () => {
  it('finds by label, desk, problem, day and text', async () => {
    await database().nativeUpdate(Order, { id: plain }, { problems: ['no address'] });
    await database().nativeUpdate(Shipment, { id: transmitted.shipmentId }, { labelMissingSince: now });

    const found: [string, number[]][] = [
      ['hasLabel=true', [transmitted.orderId, booked.orderId]],
      ['hasLabel=false', [plain]],
      ['problem=true', [plain]],
      ['problem=false', [transmitted.orderId, booked.orderId]],
      ['needsAttention=true', [transmitted.orderId]],
      ['needsAttention=false', [booked.orderId, plain]],
      ['createdFrom=2026-11-22', [transmitted.orderId, booked.orderId, plain]],
      ['createdTo=2026-11-21', []],
      ['connectionId=1', []],
      ['warehouseId=nowhere', []],
      ['q=chara+prova', [transmitted.orderId, booked.orderId, plain]],
      ['q=%3D1%2B1', [plain]],
      ['q=chara&hasLabel=false', [plain]],
    ];
    for (const [query, expected] of found) expect([query, await ids(`/orders?${query}`)]).toEqual([query, expected]);
  });
});

describe('a list as a table', () => {
  it('is CSV for Excel with every row, and no cell is run as a formula', async () => {
    const answer = await download('/orders?format=csv&limit=1');
    const bytes = Buffer.from(await answer.arrayBuffer());
    const rows: Record<string, string>[] = parse(bytes, { bom: true, columns: true });
    const list = (await test.call('GET', '/orders', undefined, headers)).body;

    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(answer.headers.get('content-disposition')).toContain('orders.csv');
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    expect(rows.map(({ id }) => Number(id))).toEqual([transmitted.orderId, booked.orderId, plain]);
    const { recipient, ...fields } = list[0];
    expect(Object.keys(rows[0] ?? {}).slice(0, -6)).toEqual(Object.keys(fields));
    expect(rows[0]).toMatchObject({ recipientName: recipient.name, recipientZip: recipient.zip });
    expect(rows[2]).toMatchObject({
      orderNumber: "'=1+1",
      buyerOrderNote: "'@formula",
      totalGrossAmount: list[2].totalGrossAmount,
    });
  });

  it('is a workbook by Accept header, with texts as they are', async () => {
    const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
    const answer = await download('/orders?hasLabel=false', type);
    const [sheet] = await readWorkbook(Buffer.from(await answer.arrayBuffer()));
    const [head = [], row = []] = sheet?.data ?? [];

    expect(answer.headers.get('content-type')).toBe(type);
    expect(sheet?.data).toHaveLength(2);
    expect(Object.fromEntries(head.map((name, at) => [name, row[at]]))).toMatchObject({
      id: plain,
      orderNumber: '=1+1',
      buyerOrderNote: '@formula',
      insurance: false,
    });
  });

  it('of shipments has the same rows as the list', async () => {
    const rows: Record<string, string>[] = parse(await (await download('/shipments', 'text/csv')).text(), {
      bom: true,
      columns: true,
    });

    expect(rows.map(({ id, orderNumber }) => [Number(id), orderNumber])).toEqual([
      [transmitted.shipmentId, String(transmitted.orderId)],
      [booked.shipmentId, String(booked.orderId)],
    ]);
    expect((await download('/orders', 'application/json, text/csv;q=0.5')).headers.get('content-type')).toContain(
      'json',
    );
  });
});

describe('GET /shipment/{id}', () => {
  it('has the shipment with its order, parcels, documents, bordero and attempts', async () => {
    const { headers: own } = await addCompany(test, 'intera');
    const parcels = [{ weight_kg: 2.5, length_cm: 40, width_cm: 30, height_cm: 20 }];
    const { orderId, shipmentId } = await transmitOrder(test, { parcels, order_number: 'A-1' }, own);
    const carrierId = (await test.call('GET', '/shipments', undefined, own)).body[0].carrier.id;
    const made = await test.call('POST', '/bordero', { carrierId, orderIds: [orderId] }, own);
    const [summary] = (await test.call('GET', `/orders/${orderId}`, undefined, own)).body.shipments;

    const { status, body } = await test.call('GET', `/shipment/${shipmentId}`, undefined, own);

    expect(status).toBe(200);
    expect(body).toMatchObject({
      ...summary,
      orderId,
      orderNumber: 'A-1',
      processStatus: 'transmitted',
      manifestId: made.body.manifestId,
      order: { id: orderId, orderNumber: 'A-1' },
      part: null,
      parcels: [{ position: 1, ...parcels[0] }],
      held: null,
      lastEvent: null,
      failure: null,
    });
    expect(body.documents.map(({ kind }: { kind: string }) => kind)).toContain('label');
    expect(body.attempts.map(({ operation, outcome }: Record<string, string>) => [operation, outcome])).toEqual([
      ['create', 'succeeded'],
      ['transmit', 'succeeded'],
    ]);
    expect((await fetch(body.labelUrl.replace(/^.*(?=\/api)/, test.app.url), { headers: own })).status).toBe(200);
  });
});
