import type { LookupAddress } from 'node:dns';
import { lookup, Resolver } from 'node:dns/promises';

/** Returns every address of a name. */
export type Resolve = (hostname: string) => Promise<LookupAddress[]>;

export interface ResolverOptions {
  timeoutMs?: number;
  /** Replaces the machine's name servers. */
  servers?: readonly string[];
}

const TIMEOUT_MS = 3000;
const TRIES = 2;

/**
 * Asks the name servers directly. `lookup` would occupy one of the process's four threads while a stranger's name
 * server is silent, and four such names would block all others. This occupies none. It does not read the hosts file.
 */
export function createResolver({ timeoutMs = TIMEOUT_MS, servers }: ResolverOptions = {}): Resolve {
  const resolver = new Resolver({ timeout: timeoutMs, tries: TRIES });
  if (servers) resolver.setServers([...servers]);
  return async (hostname) => {
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    if (v4.status === 'rejected' && v6.status === 'rejected') throw v4.reason;
    return [
      ...(v4.status === 'fulfilled' ? v4.value.map((address) => ({ address, family: 4 })) : []),
      ...(v6.status === 'fulfilled' ? v6.value.map((address) => ({ address, family: 6 })) : []),
    ];
  };
}

/** Resolves names through the operating system, with its hosts file: for development. */
export const resolveLocally: Resolve = (hostname) => lookup(hostname, { all: true });
