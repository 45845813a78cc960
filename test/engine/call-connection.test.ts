import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Connection, Exchange } from '../../src/db/entities/index.ts';
import { callConnection } from '../../src/engine/call-connection.ts';
import { type FakeServer, startFakeServer } from '../support/fake-server.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import { database, jobContext } from '../usecases/engine.ts';

describe('calling a marketplace', () => {
  let test: TestApp;
  let connection: Connection;
  let shop: FakeServer;

  beforeAll(async () => {
    test = await startTestApp({ roles: ['api'], env: { CALL_LIMIT_SECONDS: '120' } });
    connection = await database(test).findOneOrFail(Connection, test.connectionId);
  });
  beforeEach(async () => {
    shop = await startFakeServer([]);
  });
  afterEach(() => shop.close().catch(() => undefined));
  afterAll(() => test.stop());

  /** One write, for a row that was claimed so many seconds ago. */
  function write(requestId: string, target: { attemptId?: number; claimedAt?: number }): Promise<unknown> {
    const wire = { operation: 'orders.update', effect: 'write', method: 'PUT', url: shop.url } as const;
    return callConnection(
      test.app.deps,
      { connection, shipmentId: null, ...target },
      jobContext({ requestId }),
      (_marketplace, { http }) => http.send(wire),
    );
  }

  it('sends no write when its claim is so old that others may act in its place', async () => {
    const late = write('late', { claimedAt: Date.now() - 61_000 });

    await expect(late).rejects.toMatchObject({ kind: 'retryable', code: 'stopped' });
    expect(shop.requests).toEqual([]);
  });

  it('writes down for which attempt it was', async () => {
    await write('in time', { claimedAt: Date.now() - 1000, attemptId: 4711 }).catch(() => undefined);
    await write('without', {}).catch(() => undefined);

    const rows = await database(test).find(Exchange, {}, { orderBy: { id: 'asc' } });
    expect(rows).toMatchObject([
      { requestId: 'in time', attemptId: 4711, status: 501, companyId: connection.companyId },
      { requestId: 'without', attemptId: null },
    ]);
  });
});
