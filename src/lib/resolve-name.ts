import type { LookupAddress } from 'node:dns';
import { lookup, Resolver } from 'node:dns/promises';

/** Every address of a name. */
export type Resolve = (hostname: string) => Promise<LookupAddress[]>;

export interface ResolverOptions {
  timeoutMs?: number;
  /** Instead of the machine's. */
  servers?: readonly string[];
}

const TIMEOUT_MS = 3000;
const TRIES = 2;

/**
 * Asks the name servers directly. `lookup` would occupy one of the process's four threads for as long as a stranger's name server
 * says nothing, and with four of them nothing else could be looked up; this occupies none. The hosts file is not read.
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

/** As every program of the machine sees names, with its hosts file: for development. */
export const resolveLocally: Resolve = (hostname) => lookup(hostname, { all: true });
