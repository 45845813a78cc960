import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ExchangeDetail, ExchangeFields } from '../../src/api/routes/exchanges/exchange-body.ts';
import { systemEm } from '../../src/db/orm.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import { bookOrder } from './ship-orders.ts';

describe('an exchange with a partner', () => {
  let test: TestApp;
  let shipmentId: number;

  beforeAll(async () => {
    test = await startTestApp();
    await test.fault('gls-it', 'AddParcel', 'accept-then-500');
    const booked = await bookOrder(test, {}, { 'X-Request-Id': 'una-richiesta' });
    shipmentId = booked.shipmentId;
    await bookOrder(test);
  });
  afterEach(() => test.clearFaults());
  afterAll(() => test.stop());

  const list = (query = '') => test.call('GET', `/shipment/${shipmentId}/exchanges${query}`);

  it('is listed by shipment, newest first, without the texts', async () => {
    const { status, body } = await list();

    expect(status).toBe(200);
    expect(body).toEqual(ExchangeFields.array().parse(body));
    expect(body.map((one: { operation: string }) => one.operation)).toEqual(['GetPdf', 'ListSped', 'AddParcel']);
    expect(body.at(-1)).toMatchObject({
      attemptId: expect.any(Number),
      effect: 'write',
      method: 'POST',
      url: expect.stringMatching(/\/ilswebservice\.asmx\/AddParcel$/),
      status: 500,
      error: null,
      requestId: 'una-richiesta',
    });
  });

  it('comes in pages that a Link header joins', async () => {
    const pages: number[][] = [];
    let path: string | undefined = `/shipment/${shipmentId}/exchanges?limit=2`;
    while (path) {
      const { body, headers } = await test.call('GET', path);
      pages.push(body.map((one: { id: number }) => one.id));
      path = /<\/api\/v1\/external(.*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
    }

    const { body } = await list();
    expect(pages.map((page) => page.length)).toEqual([2, 1]);
    expect(pages.flat()).toEqual(body.map((one: { id: number }) => one.id));
  });

  it('is read one by one with its texts, in which no credential is', async () => {
    const { id } = (await list()).body.at(-1);

    const { status, body } = await test.call('GET', `/exchanges/${id}`);

    expect(status).toBe(200);
    expect(body).toEqual(ExchangeDetail.parse(body));
    expect(new URLSearchParams(body.request).get('XMLInfoParcel')).toContain('<RagioneSociale>Chiara Prova<');
    expect(body.request).toContain('***');
    expect(body.request).not.toContain('sandbox');
    expect(body.response).toContain('Server Error');
  });

  it('has no texts when they are not kept any more', async () => {
    const { id } = (await list()).body[0];
    await systemEm(test.app.deps.orm).execute('update exchanges set bodies = null where id = ?', [id]);

    const { status, body } = await test.call('GET', `/exchanges/${id}`);

    expect(status).toBe(200);
    expect(body).toMatchObject({ id, operation: 'GetPdf', request: null, response: null });
  });

  it.each(['/shipment/2000000000/exchanges', '/exchanges/2000000000', '/exchanges/99999999999'])(
    '%s is not found',
    async (path) => {
      const { status, body } = await test.call('GET', path);

      expect([status, body.code]).toEqual([404, 'not-found']);
    },
  );

  it('is not listed with a wrong limit or cursor: both are named', async () => {
    const { status, body } = await list('?limit=0&cursor=x');

    expect(status).toBe(400);
    expect(body.violations.map((one: { pointer: string }) => one.pointer)).toEqual(['/limit', '/cursor']);
  });
});
