import ipaddr from 'ipaddr.js';

/** Tells whether a text is a range in CIDR form, or one address. */
export function isAddressRange(text: string): boolean {
  return ipaddr.isValidCIDR(text) || ipaddr.isValid(text);
}

/** Tells whether an address is in one of the ranges. IPv4 in IPv6 form counts as IPv4. No ranges: every address is. */
export function isWithin(ranges: readonly string[], address: string): boolean {
  if (ranges.length === 0) return true;
  if (!ipaddr.isValid(address)) return false;
  const asked = ipaddr.process(address);
  return ranges.some((text) => {
    const [range, bits] = ipaddr.isValidCIDR(text) ? ipaddr.parseCIDR(text) : wholeAddress(text);
    return range.kind() === asked.kind() && asked.match(range, bits);
  });
}

function wholeAddress(text: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  const address = ipaddr.parse(text);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}
