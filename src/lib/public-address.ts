import ipaddr from 'ipaddr.js';

/** Holds every global IPv6 address assigned so far; the rest is not global, whatever a list says of it. */
const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3');

/** Link-local addresses: the metadata services of most clouds, and nothing that could receive events. */
const LINK_LOCAL = ['169.254.0.0/16', 'fe80::/10'].map((range) => ipaddr.parseCIDR(range));

/** Metadata and host services of clouds outside of link-local, as their documentation names them on 2026-11-22. */
const METADATA_ADDRESSES: ReadonlySet<string> = new Set(
  [
    '168.63.129.16', // Azure; a public address
    '100.100.100.200', // Alibaba Cloud
    '192.0.0.192', // Oracle Cloud, classic
    'fd00:ec2::254', // AWS
    'fd00:ec2::23', // AWS EKS Pod Identity
    'fd20:ce::254', // Google Cloud
    'fd00:c1::a9fe:a9fe', // Oracle Cloud
  ].map((address) => ipaddr.parse(address).toNormalizedString()),
);

/**
 * Returns true for a public address. Private, loopback, link-local, carrier-grade NAT (100.64/10), multicast, reserved
 * and documentation addresses are not public. An address that contains an IPv4 address (mapped, 6to4, Teredo, NAT64) is
 * not either, because it could be any of those. IANA special-purpose registries, in the version of ipaddr.js 2.5.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address) || isMetadataAddress(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed.kind() === 'ipv4' || parsed.match(GLOBAL_IPV6);
}

/** Tells whether a cloud serves credentials of the machine at this address, or could. IPv4 in IPv6 (mapped) counts as IPv4. */
function isMetadataAddress(address: string): boolean {
  const parsed = ipaddr.process(address);
  const isLinkLocal = LINK_LOCAL.some(([range, bits]) => range.kind() === parsed.kind() && parsed.match([range, bits]));
  return isLinkLocal || METADATA_ADDRESSES.has(parsed.toNormalizedString());
}

/** Tells whether requests may be sent to an address. `allowPrivate` opens private addresses, never those of cloud metadata. */
export function isAllowedAddress(address: string, { allowPrivate }: { allowPrivate: boolean }): boolean {
  return allowPrivate ? ipaddr.isValid(address) && !isMetadataAddress(address) : isPublicAddress(address);
}

/** Returns the address that a URL names directly; null when it has a name to look up. */
function literalAddress(url: URL): string | null {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return ipaddr.isValid(host) ? host : null;
}

const MAX_URL = 2000;
const LOCAL_NAME = /(^|\.)localhost\.?$/i;
/** Ports below this belong to other services of a machine, such as SSH and mail. */
const FIRST_FREE_PORT = 1024;
/** An empty port is the protocol's own. */
const WEB_PORTS: readonly string[] = ['', '80', '443'];

/** Returns why requests may not be sent to a URL; null when they may, without a look-up of its name. */
export function urlFault(text: string, { allowPrivate }: { allowPrivate: boolean }): string | null {
  if (text.length > MAX_URL || !URL.canParse(text)) return `must be a URL of at most ${MAX_URL} characters`;
  const url = new URL(text);
  if (url.protocol !== 'https:' && !(allowPrivate && url.protocol === 'http:')) return 'must start with https://';
  if (url.username !== '' || url.password !== '') return 'must not hold a user name or password';
  if (url.hash !== '') return 'must not have a fragment';
  const literal = literalAddress(url);
  if (literal !== null && !isAllowedAddress(literal, { allowPrivate })) return 'must be a public address';
  if (allowPrivate) return null;
  if (literal === null && LOCAL_NAME.test(url.hostname)) return 'must be a public address';
  if (!WEB_PORTS.includes(url.port) && Number(url.port) < FIRST_FREE_PORT)
    return `must have port 80, 443, or ${FIRST_FREE_PORT} and above`;
  return null;
}
