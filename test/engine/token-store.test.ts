import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTokenStore } from '../../src/engine/token-store.ts';
import { IntegrationError } from '../../src/lib/errors.ts';
import type { TokenStore } from '../../src/lib/tokens.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import { database } from '../usecases/engine.ts';

describe('the access tokens that all processes share', () => {
  let test: TestApp;
  let one: TokenStore;
  let other: TokenStore;
  let fetched = 0;
  const fetch =
    (expiresInSeconds = 3600) =>
    async () => {
      fetched += 1;
      const value = `token-${fetched}`;
      // The database is asked meanwhile, so that the others get their turn.
      await database(test).execute('select 1');
      return { value, expiresInSeconds };
    };

  beforeAll(async () => {
    test = await startTestApp({ roles: ['api'] });
    one = createTokenStore(test.app.deps.orm, test.app.deps.vault);
    other = createTokenStore(test.app.deps.orm, test.app.deps.vault);
  });
  afterAll(() => test.stop());

  it('are fetched once, however many ask at the same moment', async () => {
    const before = fetched;

    const tokens = await Promise.all(
      Array.from({ length: 12 }, (_, at) => (at % 2 === 0 ? one : other).get('ups:a:token', fetch())),
    );

    expect(new Set(tokens).size).toBe(1);
    expect(fetched - before).toBe(1);
  });

  it('are sealed at rest', async () => {
    const token = await one.get('ups:sealed:token', fetch());

    const [row] = await database(test).execute<{ sealed: string }[]>(
      `select sealed from partner_tokens where key = 'ups:sealed:token'`,
    );

    expect(row?.sealed.length).toBeGreaterThan(20);
    expect(JSON.stringify(row)).not.toContain(token);
    expect(Buffer.from(row?.sealed ?? '', 'base64').toString()).not.toContain(token);
  });

  it('are fetched again when they are about to expire', async () => {
    const first = await one.get('ups:short:token', fetch(59));
    const second = await other.get('ups:short:token', fetch(3600));
    const third = await one.get('ups:short:token', fetch());

    expect(second).not.toBe(first);
    expect(third).toBe(second);
  });

  it('are fetched again after the partner refused them', async () => {
    const first = await one.get('ups:refused:token', fetch());
    await one.forget('ups:refused:token');

    const second = await other.get('ups:refused:token', fetch());

    expect([first, second]).toEqual([`token-${fetched - 1}`, `token-${fetched}`]);
    expect(await one.get('ups:refused:token', fetch())).toBe(second);
  });

  it('are asked for by the next one when a fetch fails', async () => {
    const refuse = async (): Promise<never> => {
      throw new IntegrationError('UPS refused', { kind: 'permanent', provider: 'UPS', code: 'credentials-refused' });
    };

    await expect(one.get('ups:failing:token', refuse)).rejects.toThrow('UPS refused');
    await expect(other.get('ups:failing:token', fetch())).resolves.toMatch(/^token-/);
  });

  it('are taken over from a process that vanished while it fetched', async () => {
    await database(test).execute(
      `insert into partner_tokens (key, fetching_until) values ('ups:lost:token', now() - interval '1 second')`,
    );

    await expect(one.get('ups:lost:token', fetch())).resolves.toMatch(/^token-/);
  });
});
