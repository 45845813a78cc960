/** An access token of a partner, with its end. */
export interface AccessToken {
  value: string;
  expiresInSeconds: number;
}

/** Keeps access tokens until shortly before they expire. */
export interface TokenStore {
  /** Returns the token stored under `key`, or the result of `fetch`. One caller at a time fetches. */
  get(key: string, fetch: () => Promise<AccessToken>): Promise<string>;
  /** Drops a token that the partner refused. */
  forget(key: string): Promise<void>;
}

/** Milliseconds. A token that is about to expire could do so in flight. */
export const TOKEN_MARGIN_MS = 60_000;

/** Keeps tokens in memory, for one process or one call. */
export function memoryTokens(now: () => number = Date.now): TokenStore {
  const kept = new Map<string, { value: string; expiresAt: number }>();
  const fetching = new Map<string, Promise<string>>();
  return {
    async get(key, fetch) {
      const token = kept.get(key);
      if (token && token.expiresAt - TOKEN_MARGIN_MS > now()) return token.value;
      let running = fetching.get(key);
      if (!running) {
        running = fetch()
          .then(({ value, expiresInSeconds }) => {
            kept.set(key, { value, expiresAt: now() + expiresInSeconds * 1000 });
            return value;
          })
          .finally(() => fetching.delete(key));
        fetching.set(key, running);
      }
      return running;
    },
    async forget(key) {
      kept.delete(key);
    },
  };
}
