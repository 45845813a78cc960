import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SecretGuard } from '../../src/api/http/secret-guard.ts';
import { Problem } from '../../src/lib/errors.ts';
import { createKey } from '../../src/usecases/setup/api-keys.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';

const FREE = 30;

describe('a client that guesses API keys', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await startTestApp({ now: () => new Date('2026-11-23T08:00:00Z'), roles: ['api'] });
  });
  afterAll(() => test.stop());

  /** Asks from an address of this machine; `forwardedFor` is what a proxy adds. */
  function ask(key: string, from: { localAddress?: string; forwardedFor?: string } = {}) {
    const { promise, resolve, reject } = Promise.withResolvers<{ status: number; retryAfter: number; code: string }>();
    const { localAddress, forwardedFor } = from;
    const headers = { 'x-api-key': key, ...(forwardedFor ? { 'x-forwarded-for': forwardedFor } : {}) };
    const url = `${test.app.url}/api/v1/external/carriers/contracts`;
    const asked = request(url, { headers, ...(localAddress ? { localAddress } : {}) }, (answer) => {
      let text = '';
      answer.on('data', (chunk) => {
        text += chunk;
      });
      answer.on('end', () =>
        resolve({
          status: answer.statusCode ?? 0,
          retryAfter: Number(answer.headers['retry-after']),
          code: JSON.parse(text).code,
        }),
      );
    });
    asked.on('error', reject);
    asked.end();
    return promise;
  }

  it('waits after thirty different ones, and disturbs neither known keys nor other addresses', async () => {
    const guesses = Array.from({ length: FREE }, (_, at) => ask(`smista_guess-${at}`));
    const { key: fresh } = await createKey(test.app.deps, { companyKey: 'demo', name: 'fresh', expiresAt: null });

    const refused = await Promise.all(guesses);
    const next = await ask('smista_guess-next');
    const [unknownYet, known, elsewhere, behindProxy, afterwards] = [
      await ask(fresh),
      await ask(test.demo.apiKey),
      await ask(fresh, { localAddress: '127.0.0.2' }),
      await ask('smista_first-guess', { forwardedFor: '203.0.113.7' }),
      await ask(fresh),
    ];

    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([401]));
    expect(next).toMatchObject({ status: 429, code: 'too-many-wrong-keys', retryAfter: 1 });
    expect(unknownYet.status).toBe(429);
    expect([known.status, elsewhere.status, behindProxy.status, afterwards.status]).toEqual([200, 200, 401, 200]);
  });
});

describe('the guard of keys', () => {
  let now = 0;
  let lookUps = 0;
  const guardOf = (right: string) =>
    new SecretGuard({
      refusal: { code: 'too-many-wrong-keys', detail: 'Wait' },
      now: () => new Date(now),
      identify: async (key) => {
        lookUps += 1;
        return key === right ? { companyId: 1, keyId: 1, scopes: ['*'], addressRanges: [] } : null;
      },
    });
  const waitOf = (asking: Promise<unknown>) =>
    asking.then(
      () => 0,
      (error: unknown) => (error instanceof Problem ? Number(error.headers['Retry-After']) : Number.NaN),
    );

  it('looks the same wrong key up once a minute, and counts it once', async () => {
    const guard = guardOf('right');
    lookUps = 0;
    for (let at = 0; at < 1000; at++) expect(await guard.identify('old', '192.0.2.1')).toBeNull();
    const first = lookUps;
    now += 60_001;
    await guard.identify('old', '192.0.2.1');

    const twice = lookUps;
    for (let minutes = 0; minutes < FREE; minutes++) {
      now += 60_001;
      await guard.identify('old', '192.0.2.1');
    }

    expect([first, twice]).toEqual([1, 2]);
    expect(await guard.identify('right', '192.0.2.1')).toEqual({
      companyId: 1,
      keyId: 1,
      scopes: ['*'],
      addressRanges: [],
    });
  });

  it('takes guesses at the same moment one by one, and doubles the wait up to five minutes', async () => {
    const guard = guardOf('right');
    lookUps = 0;
    const waits = await Promise.all(
      Array.from({ length: 1000 }, (_, at) => waitOf(guard.identify(`guess-${at}`, `2001:db8::${at.toString(16)}`))),
    );
    const grown: number[] = [];
    for (let at = 0; at < 11; at++) {
      const wait = await waitOf(guard.identify(`probe-${at}`, '2001:db8::1'));
      grown.push(wait);
      now += wait * 1000;
      await guard.identify(`later-${at}`, '2001:db8::1');
    }

    expect(lookUps).toBe(FREE + 11);
    expect(waits.filter((wait) => wait > 0)).toHaveLength(1000 - FREE);
    expect(grown).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300]);
  });

  it('lets many requests with one new key pass together, and forgets guesses after a while and when the clock is set back', async () => {
    const guard = guardOf('right');
    lookUps = 0;
    const together = await Promise.all(Array.from({ length: 100 }, () => guard.identify('right', '192.0.2.1')));
    for (let at = 0; at < FREE; at++) await guard.identify(`guess-${at}`, '192.0.2.1');
    const blocked = await waitOf(guard.identify('one more', '192.0.2.1'));
    now += 700_000;
    for (let at = 0; at < FREE; at++) await guard.identify(`second-${at}`, '192.0.2.1');

    now -= 3_600_000;
    for (let at = 0; at < FREE; at++) await guard.identify(`third-${at}`, '192.0.2.1');

    expect(together.every((found) => found?.keyId === 1)).toBe(true);
    expect(blocked).toBe(1);
    expect(lookUps).toBe(1 + 3 * FREE);
  });
});
