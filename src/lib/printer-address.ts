import ipaddr from 'ipaddr.js';
import { isAllowedAddress } from './public-address.ts';
import type { Resolve } from './resolve-name.ts';

export interface PrinterAddress {
  scheme: 'socket' | 'ipp' | 'ipps';
  /** A name, or an address without brackets. */
  host: string;
  port: number;
  /** Begins with a slash; `/` of a raw printer. */
  path: string;
}

export interface PrinterAddressRules {
  /** Ports beside those that printers listen on. */
  extraPorts?: readonly number[];
  /** Allows printers on this machine: for development. */
  allowLoopback?: boolean;
}

/** The printer's host has no address that may be connected to, or is unknown. No connection was opened. */
export class PrinterAddressRefused extends Error {}

const MAX_ADDRESS = 500;
const SCHEME = /^(socket|ipps?):\/\//;
/** JetDirect has one port per printer of a print server; CUPS and printers listen on 631, 80, 443 or 8631 for IPP. */
const PORTS = { socket: range(9100, 9107), ipp: [631, 80, 443, 8631], ipps: [631, 80, 443, 8631] } as const;
const DEFAULT_PORT = { socket: 9100, ipp: 631, ipps: 631 } as const;
/** Private networks are where printers stand. Multicast, broadcast, reserved and tunnel addresses are out. */
const PRINTER_RANGES: readonly string[] = ['unicast', 'private', 'uniqueLocal', 'carrierGradeNat'];

/** Returns why a printer may not be declared with this address; null when it may, without a look-up of its name. */
export function printerAddressFault(text: string, rules: PrinterAddressRules = {}): string | null {
  const address = parsePrinterAddress(text);
  if (typeof address === 'string') return address;
  const { scheme, host, port } = address;
  const allowed: readonly number[] = [...PORTS[scheme], ...(rules.extraPorts ?? [])];
  if (!allowed.includes(port)) return `must have one of the ports ${allowed.join(', ')}`;
  const isLocal = /(^|\.)localhost\.?$/i.test(host) && !rules.allowLoopback;
  if (isLocal || (ipaddr.isValid(host) && !isPrinterIp(host, rules))) return 'must not lead to this machine or a cloud';
  return null;
}

/** Parses the address of a printer, or returns what is wrong with it. */
export function parsePrinterAddress(text: string): PrinterAddress | string {
  const scheme = SCHEME.exec(text)?.[1] as PrinterAddress['scheme'] | undefined;
  if (!scheme) return 'must start with socket://, ipp:// or ipps://';
  // Only a web URL brings every spelling of an IPv4 address into one form, and only another one keeps port 80.
  const webText = text.replace(SCHEME, 'http://');
  if (text.length > MAX_ADDRESS || !URL.canParse(webText)) return `must be a URL of at most ${MAX_ADDRESS} characters`;
  const web = new URL(webText);
  if (web.username !== '' || web.password !== '') return 'must not hold a user name or password';
  if (web.hash !== '' || web.search !== '') return 'must not have a query or fragment';
  if (scheme === 'socket' && web.pathname !== '/') return 'must not have a path after socket://host:port';
  const { port } = new URL(text);
  const host = web.hostname.replace(/^\[|\]$/g, '');
  return { scheme, host, port: port === '' ? DEFAULT_PORT[scheme] : Number(port), path: web.pathname };
}

/** Looks a printer up once and returns the address to connect to. Throws `PrinterAddressRefused`. */
export async function locatePrinter(
  { host }: PrinterAddress,
  { resolve, ...rules }: PrinterAddressRules & { resolve: Resolve },
): Promise<string> {
  if (ipaddr.isValid(host)) {
    if (!isPrinterIp(host, rules)) throw new PrinterAddressRefused('The printer has an address that is not allowed');
    return host;
  }
  const found = await resolve(host).catch((cause: unknown) => {
    throw new PrinterAddressRefused(`${host} cannot be looked up`, { cause });
  });
  const allowed = found.find(({ address }) => isPrinterIp(address, rules));
  if (!allowed) throw new PrinterAddressRefused(`${host} has no address that is allowed`);
  return allowed.address;
}

function isPrinterIp(address: string, { allowLoopback = false }: PrinterAddressRules): boolean {
  if (!isAllowedAddress(address, { allowPrivate: true })) return false;
  const kind = ipaddr.process(address).range();
  return PRINTER_RANGES.includes(kind) || (allowLoopback && kind === 'loopback');
}

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
