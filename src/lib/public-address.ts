import ipaddr from 'ipaddr.js';

/** Holds every global IPv6 address assigned so far; the rest is not global, whatever a list says of it. */
const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3');

/**
 * Returns true for a public address. Private, loopback, link-local, carrier-grade NAT (100.64/10), multicast, reserved
 * and documentation addresses are not public. An address that contains an IPv4 address (mapped, 6to4, Teredo, NAT64) is
 * not either, because it could be any of those. IANA special-purpose registries, in the version of ipaddr.js 2.5.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed.kind() === 'ipv4' || parsed.match(GLOBAL_IPV6);
}

/** Returns the address that a URL names directly; null when it has a name to look up. */
function literalAddress(url: URL): string | null {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return ipaddr.isValid(host) ? host : null;
}

const MAX_URL = 2000;
const LOCAL_NAME = /(^|\.)localhost\.?$/i;

/** Returns why requests may not be sent to a URL; null when they may, without a look-up of its name. */
export function urlFault(text: string, { allowPrivate }: { allowPrivate: boolean }): string | null {
  if (text.length > MAX_URL || !URL.canParse(text)) return `must be a URL of at most ${MAX_URL} characters`;
  const url = new URL(text);
  if (url.protocol !== 'https:' && !(allowPrivate && url.protocol === 'http:')) return 'must start with https://';
  if (url.username !== '' || url.password !== '') return 'must not hold a user name or password';
  if (url.hash !== '') return 'must not have a fragment';
  if (allowPrivate) return null;
  const literal = literalAddress(url);
  if (literal === null ? LOCAL_NAME.test(url.hostname) : !isPublicAddress(literal)) return 'must be a public address';
  return null;
}
