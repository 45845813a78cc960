import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { PDFDocument, PDFName } from 'pdf-lib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemEm } from '../../src/db/orm.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import { addCompany } from './second-company.ts';
import { bookOrder, transmitOrder } from './ship-orders.ts';

const NOBODYS = 2_000_000_000;
const PREFIX = '/api/v1/external';

let test: TestApp;
let now: Date | null = null;
const lines: string[] = [];

/** An answer with its bytes. */
async function fetchFile(url: string, headers: Record<string, string> = { 'x-api-key': test.demo.apiKey }) {
  const address = url.startsWith('http') ? url : `${test.app.url}${PREFIX}${url}`;
  const answer = await fetch(address, { headers });
  const type = answer.headers.get('content-type') ?? '';
  return { status: answer.status, type, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) };
}

async function sizesOf(pdf: Buffer): Promise<string[]> {
  const document = await PDFDocument.load(pdf);
  return document.getPages().map((page) => `${page.getWidth().toFixed(0)}x${page.getHeight().toFixed(0)}`);
}

/** Makes the label of a shipment one for a label printer. */
async function makeZpl(shipmentId: number): Promise<void> {
  await systemEm(test.app.deps.orm).execute(
    `update documents set content_type = 'application/zpl', bytes = ? where shipment_id = ?`,
    [Buffer.from(`^XA^FD${shipmentId}^XZ`), shipmentId],
  );
}

beforeAll(async () => {
  const write = (...parts: unknown[]): void => void lines.push(JSON.stringify(parts));
  const log = { info: write, warn: write, error: write, debug: write, trace: write, fatal: write } as never;
  test = await startTestApp({
    now: () => now ?? new Date(),
    log: Object.assign(log, { child: () => log }),
  });
});
beforeEach(() => {
  now = null;
});
afterAll(() => test.stop());

describe('labels', () => {
  const parcels = [{ weight_kg: 2 }, { weight_kg: 1 }];

  it('of one shipment come on the requested paper', async () => {
    const { shipmentId } = await bookOrder(test, { parcels });

    const original = await fetchFile(`/shipment/${shipmentId}/label`);
    const sheet = await fetchFile(`/shipment/${shipmentId}/label?format=a4-4`);
    const single = await fetchFile(`/shipment/${shipmentId}/label?format=a6`);

    expect(await sizesOf(original.bytes)).toEqual(['298x420', '298x420']);
    expect(await sizesOf(sheet.bytes)).toEqual(['595x842']);
    expect(await sizesOf(single.bytes)).toEqual(['298x420', '298x420']);
    expect(original.headers.get('content-disposition')).toBe(`inline; filename="label-${shipmentId}.pdf"`);
  });

  it('of one parcel are the bytes that the carrier sent', async () => {
    const { shipmentId } = await bookOrder(test);

    const { bytes } = await fetchFile(`/shipment/${shipmentId}/label`);

    const [row] = await systemEm(test.app.deps.orm).execute<{ bytes: Buffer }[]>(
      'select bytes from documents where shipment_id = ?',
      [shipmentId],
    );
    expect(bytes.equals(row?.bytes ?? Buffer.alloc(0))).toBe(true);
  });

  it('of a list of shipments, of orders and of a bordero are one file, in the order asked for', async () => {
    const one = await transmitOrder(test, { parcels });
    const two = await transmitOrder(test);
    const orderIds = [one.orderId, two.orderId];
    const bordero = await test.call('POST', '/bordero', { carrierId: test.carrierId, orderIds });

    const byShipment = await fetchFile(`/labels?shipmentIds=${two.shipmentId},${one.shipmentId},${two.shipmentId}`);
    const byOrder = await fetchFile(`/labels?orderIds=${orderIds}&layout=a4-2`);
    const byBordero = await fetchFile(`/labels?manifestId=${bordero.body.manifestId}&layout=a4-4&startAt=3`);

    expect(byShipment.type).toBe('application/pdf');
    expect(await sizesOf(byShipment.bytes)).toHaveLength(3);
    expect(await sizesOf(byOrder.bytes)).toEqual(['595x842', '595x842']);
    expect(await sizesOf(byBordero.bytes)).toEqual(['595x842', '595x842']);
  });

  it('are all printed or none, and every reason is told', async () => {
    const { shipmentId } = await bookOrder(test);
    const bare = await bookOrder(test);
    await systemEm(test.app.deps.orm).execute('delete from documents where shipment_id = ?', [bare.shipmentId]);

    const answer = await test.call('GET', `/labels?shipmentIds=${shipmentId},${bare.shipmentId},${NOBODYS}`);

    expect(answer.status).toBe(422);
    expect(answer.body).toMatchObject({ code: 'rule-broken' });
    expect(answer.body.violations).toEqual([
      { in: 'query', pointer: '/shipmentIds/1', message: `Shipment ${bare.shipmentId} has no label` },
      { in: 'query', pointer: '/shipmentIds/2', message: `There is no shipment ${NOBODYS}` },
    ]);
  });

  it('for a label printer are one after the other, and never made of a PDF or into one', async () => {
    const one = await bookOrder(test);
    const two = await bookOrder(test);
    const pdf = await bookOrder(test);
    await makeZpl(one.shipmentId);
    await makeZpl(two.shipmentId);
    const both = `shipmentIds=${one.shipmentId},${two.shipmentId}`;

    const zpl = await fetchFile(`/labels?${both}&layout=zpl`);
    const original = await fetchFile(`/labels?${both}`);
    const onPaper = await test.call('GET', `/labels?${both}&layout=a4-4`);
    const mixed = await test.call('GET', `/labels?shipmentIds=${pdf.shipmentId},${one.shipmentId}`);
    const single = await test.call('GET', `/shipment/${pdf.shipmentId}/label?format=zpl`);

    expect(zpl.type).toBe('application/zpl');
    expect(zpl.bytes.toString()).toBe(`^XA^FD${one.shipmentId}^XZ^XA^FD${two.shipmentId}^XZ`);
    expect(original.bytes).toEqual(zpl.bytes);
    expect(onPaper.body.violations.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
      '/shipmentIds/0',
      '/shipmentIds/1',
    ]);
    expect(mixed.body.violations).toMatchObject([
      { pointer: '/shipmentIds/1', message: expect.stringContaining(`shipment ${one.shipmentId} is ZPL`) },
    ]);
    expect(single.body.violations).toMatchObject([{ pointer: '/format' }]);
  });

  it.each([
    ['', '/shipmentIds'],
    ['shipmentIds=1&orderIds=2', '/orderIds'],
    ['shipmentIds=1,x', '/shipmentIds'],
    ['shipmentIds=', '/shipmentIds'],
    [`shipmentIds=${Array(5001).fill(1)}`, '/shipmentIds'],
    ['manifestId=x', '/manifestId'],
    ['shipmentIds=1&layout=a3', '/layout'],
    ['shipmentIds=1&layout=a4-4&startAt=5', '/startAt'],
    ['shipmentIds=1&layout=a4-2&startAt=3', '/startAt'],
    ['shipmentIds=1&startAt=2', '/startAt'],
  ])('are refused with the field at fault for %.40s', async (query, pointer) => {
    const answer = await test.call('GET', `/labels?${query}`);

    expect(answer.status).toBe(400);
    expect(answer.body.violations).toMatchObject([{ in: 'query', pointer }]);
  });

  it('of five thousand shipments fit into an address', async () => {
    const ids = Array.from({ length: 5000 }, (_, index) => NOBODYS + index);

    const answer = await test.call('GET', `/labels?shipmentIds=${ids}`);

    expect(answer.status).toBe(422);
    expect(answer.body.violations).toHaveLength(5000);
  });

  it('break off where one cannot be read, and are refused when that is the first', async () => {
    const one = await bookOrder(test);
    const two = await bookOrder(test);
    const { documents } = test.app.deps;
    const { get } = documents;
    let failAt = 2;
    let reads = 0;
    documents.get = (handle) => {
      reads += 1;
      // Each is tried three times.
      return reads >= failAt ? Promise.reject(new Error('broken')) : get(handle);
    };
    const path = `/labels?shipmentIds=${one.shipmentId},${two.shipmentId}`;

    const middle = await fetchFile(path).catch((error: unknown) => error);
    [failAt, reads] = [1, 0];
    const first = await fetchFile(path);
    documents.get = get;

    expect(middle).toBeInstanceOf(TypeError);
    expect(lines.some((line) => line.includes('answer broke off'))).toBe(true);
    expect(first.status).toBe(503);
  });

  it('are not read any further when the client goes away', async () => {
    const { shipmentId } = await bookOrder(test);
    await systemEm(test.app.deps.orm).execute(
      `insert into documents (company_id, shipment_id, kind, position, content_type, sha256, bytes)
       select company_id, shipment_id, kind, series, content_type, sha256, bytes
         from documents, generate_series(2, 400) as series where shipment_id = ?`,
      [shipmentId],
    );
    const large = await largeLabel();
    const { documents } = test.app.deps;
    const { get } = documents;
    let reads = 0;
    documents.get = async () => {
      reads += 1;
      return Readable.from([large]);
    };

    const address = `${test.app.url}${PREFIX}/labels?shipmentIds=${shipmentId}`;
    const answer = await fetch(address, { headers: { 'x-api-key': test.demo.apiKey } });
    const reader = answer.body?.getReader();
    await reader?.read();
    await reader?.cancel();
    await test.call('GET', '/orders');
    const readSoFar = reads;
    await test.call('GET', '/orders');
    documents.get = get;

    expect(reads).toBe(readSoFar);
    expect(reads).toBeLessThan(100);
  });
});

/** A label that does not get smaller by packing: a hundred of them are more than sockets hold. */
async function largeLabel(): Promise<Buffer> {
  const document = await PDFDocument.create();
  const page = document.addPage([298, 420]);
  page.node.set(PDFName.of('Contents'), document.context.register(document.context.stream(randomBytes(500_000))));
  return Buffer.from(await document.save());
}

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
async function listed(shipmentId: number): Promise<any> {
  return (await test.call('GET', `/shipment/${shipmentId}/documents`)).body;
}

describe('documents of a shipment', () => {
  it('are listed with their size and a link that needs no key', async () => {
    const { shipmentId } = await transmitOrder(test);

    const documents = await listed(shipmentId);
    const [label, list] = documents;
    const file = await fetchFile(label.url, {});

    expect(documents).toHaveLength(2);
    expect(label).toMatchObject({ kind: 'label', contentType: 'application/pdf', size: file.bytes.length });
    expect(list).toMatchObject({ kind: 'manifest', contentType: 'application/pdf' });
    expect(file).toMatchObject({ status: 200, type: 'application/pdf' });
    expect(file.bytes.subarray(0, 5).toString()).toBe('%PDF-');
    expect(file.headers.get('cache-control')).toBe('private, no-store');
    expect(file.headers.get('referrer-policy')).toBe('no-referrer');
    expect(await listed(shipmentId)).toEqual(documents);
  });

  it('of an unknown shipment are a 404', async () => {
    expect((await test.call('GET', `/shipment/${NOBODYS}/documents`)).status).toBe(404);
  });

  it('are linked in what the marketplace is told', async () => {
    const { orderId } = await bookOrder(test, {
      marketplace: { connection_id: test.connectionId, order_id: '1003', order_number: '1003' },
      parcels: [{ weight_kg: 1 }, { weight_kg: 1 }],
    });

    const { body } = await test.call('POST', `/orders/${orderId}/send-to-marketplace`);

    expect(body.LabelURL).toHaveLength(2);
    for (const url of body.LabelURL) expect((await fetchFile(url, {})).status).toBe(200);
  });
});

describe('a link to a document', () => {
  let url: URL;

  beforeAll(async () => {
    const { shipmentId } = await bookOrder(test);
    url = new URL((await listed(shipmentId))[0].url);
  });

  function changed(change: (link: URL) => void): string {
    const link = new URL(url);
    change(link);
    return link.href;
  }

  it('is good for a week and not a second longer', async () => {
    const expires = Number(url.searchParams.get('expires')) * 1000;
    const weekMs = 7 * 86_400_000;

    expect(expires).toBeLessThanOrEqual(Date.now() + weekMs);
    expect(expires).toBeGreaterThan(Date.now() + weekMs - 2 * 3_600_000);
    now = new Date(expires - 1000);
    expect((await fetchFile(url.href, {})).status).toBe(200);
    now = new Date(expires);
    expect((await fetchFile(url.href, {})).status).toBe(404);
  });

  it('that is wrong in any way is like one to nothing', async () => {
    const signature = url.searchParams.get('signature') ?? '';
    const [companyId = '', mac = ''] = signature.split('.');
    const id = Number(url.pathname.split('/').at(-1));
    const foreign = `${Number(companyId) + 1}.${mac}`;
    const wrong = [
      changed((link) => link.searchParams.delete('signature')),
      changed((link) =>
        link.searchParams.set('signature', `${signature.slice(0, -1)}${signature.endsWith('A') ? 'B' : 'A'}`),
      ),
      changed((link) => link.searchParams.set('signature', mac)),
      changed((link) => link.searchParams.set('signature', foreign)),
      changed((link) => link.searchParams.append('signature', signature)),
      changed((link) => link.searchParams.delete('expires')),
      changed((link) => link.searchParams.set('expires', String(Number(link.searchParams.get('expires')) + 3600))),
      changed((link) => link.searchParams.set('expires', '99999999999999999999')),
      changed((link) => link.searchParams.set('expires', 'soon')),
      changed((link) => (link.pathname = `${PREFIX}/documents/${id - 1}`)),
      changed((link) => (link.pathname = `${PREFIX}/documents/${NOBODYS}`)),
      changed((link) => (link.pathname = `${PREFIX}/documents/x`)),
    ];

    const answers = await Promise.all(wrong.map((link) => fetch(link)));
    const bodies = await Promise.all(answers.map((answer) => answer.json() as Promise<Record<string, unknown>>));

    expect(answers.map(({ status }) => status)).toEqual(wrong.map(() => 404));
    expect(new Set(bodies.map(({ code, detail, title }) => `${code} ${detail} ${title}`)).size).toBe(1);
  });

  it('of another company cannot be made from one of its own', async () => {
    const other = await addCompany(test, 'straniera', {});
    const { shipmentId } = await bookOrder(test, {}, other.headers);
    const { body } = await test.call('GET', `/shipment/${shipmentId}/documents`, undefined, other.headers);
    const theirs = new URL(body[0].url);

    const mixed = changed((link) => (link.pathname = theirs.pathname));

    expect((await fetchFile(theirs.href, {})).status).toBe(200);
    expect((await fetchFile(mixed, {})).status).toBe(404);
  });

  it('is in no line of the log, also when the document cannot be read', async () => {
    const { documents } = test.app.deps;
    const { get } = documents;
    documents.get = async () => {
      throw new Error('broken');
    };
    const { status } = await fetchFile(url.href, {});
    documents.get = get;

    expect(status).toBe(500);
    expect(lines.some((line) => line.includes('request failed'))).toBe(true);
    expect(lines.filter((line) => line.includes(url.searchParams.get('signature') ?? 'none'))).toEqual([]);
  });
});

describe('the document of a bordero', () => {
  async function made(count: number) {
    const orders = [];
    for (let made = 0; made < count; made++) orders.push(await bookOrder(test));
    const requests = orders.map(({ orderId }) => ({ orderId }));
    await test.call('POST', '/shipment/transmit', requests);
    return orders;
  }
  const bordero = async (orderIds: number[]): Promise<number> =>
    (await test.call('POST', '/bordero', { carrierId: test.carrierId, orderIds })).body.manifestId;
  const textOf = ({ headers }: { headers: Headers }): string => headers.get('content-disposition') ?? '';

  it("is the carrier's own list where it has exactly these shipments, else ours", async () => {
    const orders = await made(2);
    const manifestId = await bordero(orders.map(({ orderId }) => orderId));

    const byDefault = await fetchFile(`/bordero/${manifestId}/pdf`);
    const carriers = await fetchFile(`/bordero/${manifestId}/pdf?source=carrier`);
    const ours = await fetchFile(`/bordero/${manifestId}/pdf?source=ours`);

    expect(textOf(byDefault)).toContain(`distinta-${manifestId}.pdf`);
    expect(carriers.bytes.length).toBeGreaterThan(500);
    expect(await sizesOf(byDefault.bytes)).toEqual(['595x842']);
    expect(textOf(ours)).toContain('GLS-IT-');
    expect(await sizesOf(ours.bytes)).toEqual(['842x595']);
  });

  it('is put together from several lists of the carrier', async () => {
    const orders = [...(await made(1)), ...(await made(1))];
    const manifestId = await bordero(orders.map(({ orderId }) => orderId));

    const { bytes } = await fetchFile(`/bordero/${manifestId}/pdf`);

    expect(await sizesOf(bytes)).toEqual(['595x842', '595x842']);
  });

  it("is ours where the carrier's list has others too, unless the carrier's is asked for", async () => {
    const [first] = await made(2);
    const manifestId = await bordero([first?.orderId ?? 0]);

    const byDefault = await fetchFile(`/bordero/${manifestId}/pdf`);
    const carriers = await fetchFile(`/bordero/${manifestId}/pdf?source=carrier`);

    expect(textOf(byDefault)).toContain('GLS-IT-');
    expect(textOf(carriers)).toContain('distinta-');
  });

  it('is ours where the carrier gave no list', async () => {
    const [order] = await made(1);
    const manifestId = await bordero([order?.orderId ?? 0]);
    await systemEm(test.app.deps.orm).execute('delete from document_shipments where shipment_id = ?', [
      order?.shipmentId,
    ]);

    const byDefault = await fetchFile(`/bordero/${manifestId}/pdf`);
    const carriers = await test.call('GET', `/bordero/${manifestId}/pdf?source=carrier`);
    const wrong = await test.call('GET', `/bordero/${manifestId}/pdf?source=mine`);

    expect(textOf(byDefault)).toContain('GLS-IT-');
    expect(carriers.status).toBe(404);
    expect(wrong.body.violations).toMatchObject([{ in: 'query', pointer: '/source' }]);
  });
});
