import ipaddr from 'ipaddr.js';

/** One client usually owns a whole IPv6 network of this size. */
const NETWORK_BITS = 64;

/** Returns what to count an address by: an IPv4 address itself, also in IPv6 form, else the first 64 bits. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toNormalizedString().split('%')[0]}/${NETWORK_BITS}`).toString();
}
