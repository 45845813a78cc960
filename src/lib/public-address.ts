import ipaddr from 'ipaddr.js';

/** Everything of IPv6 that was ever given to the public is in here; the rest is not global, whatever a list says of it. */
const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3');

/**
 * Whether anybody on the internet may be meant by an address. Not private, loopback, link-local, shared by a carrier (100.64/10),
 * multicast, reserved or for documentation; and none that carries an IPv4 address inside (mapped, 6to4, Teredo, NAT64), which could
 * be any of those. IANA special-purpose registries, as ipaddr.js 2.5 has them.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed.kind() === 'ipv4' || parsed.match(GLOBAL_IPV6);
}

/** The address that a URL names directly; null when it has a name to be looked up. */
function literalAddress(url: URL): string | null {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return ipaddr.isValid(host) ? host : null;
}

const MAX_URL = 2000;
const LOCAL_NAME = /(^|\.)localhost\.?$/i;

/** Why requests may not be sent to a URL, in words; null when they may, as far as can be said without looking up its name. */
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
