import { setTimeout as pause } from 'node:timers/promises';
import { type Orm, systemEm } from '../db/orm.ts';
import { IntegrationError } from '../lib/errors.ts';
import { type AccessToken, TOKEN_MARGIN_MS, type TokenStore } from '../lib/tokens.ts';
import type { Vault } from './vault.ts';

/** Longer than any token request takes. After this, another process replaces one that died while fetching. */
const FETCH_SECONDS = 40;
const LOOK_MS = 100;

interface KeptToken {
  value: string;
  expiresAt: number;
}

/**
 * Creates the store of access tokens: encrypted in PostgreSQL, shared by all processes. One process fetches a token while the others
 * wait for it, without a lock or an open transaction.
 */
export function createTokenStore(orm: Orm, vault: Vault): TokenStore {
  const nearby = new Map<string, KeptToken>();
  const isFresh = (token: KeptToken | undefined): token is KeptToken =>
    token !== undefined && token.expiresAt - TOKEN_MARGIN_MS > Date.now();

  const read = async (key: string): Promise<KeptToken | undefined> => {
    const [row] = await systemEm(orm).execute<{ sealed: string | null; expires_at: string | null }[]>(
      'select sealed, expires_at from partner_tokens where key = ?',
      [key],
    );
    if (!row?.sealed || !row.expires_at) return undefined;
    return { value: String(vault.open(row.sealed, key)), expiresAt: new Date(row.expires_at).getTime() };
  };
  const claim = async (key: string): Promise<boolean> => {
    const rows = await systemEm(orm).execute<object[]>(
      `insert into partner_tokens (key, fetching_until) values (?, now() + make_interval(secs => ?))
       on conflict (key) do update set fetching_until = excluded.fetching_until
         where (partner_tokens.fetching_until is null or partner_tokens.fetching_until < now())
           and (partner_tokens.expires_at is null or partner_tokens.expires_at < now() + make_interval(secs => ?)) returning key`,
      [key, FETCH_SECONDS, TOKEN_MARGIN_MS / 1000],
    );
    return rows.length > 0;
  };
  const fetchNow = async (key: string, fetch: () => Promise<AccessToken>): Promise<string> => {
    try {
      const { value, expiresInSeconds } = await fetch();
      const token = { value, expiresAt: Date.now() + expiresInSeconds * 1000 };
      await systemEm(orm).execute(
        'update partner_tokens set sealed = ?, expires_at = ?, fetching_until = null where key = ?',
        [vault.seal(value, key), new Date(token.expiresAt), key],
      );
      nearby.set(key, token);
      return value;
    } catch (error) {
      await systemEm(orm).execute('update partner_tokens set fetching_until = null where key = ?', [key]);
      throw error;
    }
  };

  return {
    async get(key, fetch) {
      const deadline = Date.now() + FETCH_SECONDS * 1000;
      while (Date.now() < deadline) {
        const token = nearby.get(key);
        if (isFresh(token)) return token.value;
        const kept = await read(key);
        if (isFresh(kept)) {
          nearby.set(key, kept);
          return kept.value;
        }
        if (await claim(key)) return fetchNow(key, fetch);
        await pause(LOOK_MS);
      }
      throw new IntegrationError('Another process did not fetch the access token in time', {
        kind: 'retryable',
        provider: key.split(':')[0] ?? '',
        code: 'token-awaited',
      });
    },
    async forget(key) {
      nearby.delete(key);
      await systemEm(orm).execute('delete from partner_tokens where key = ? and fetching_until is null', [key]);
    },
  };
}
