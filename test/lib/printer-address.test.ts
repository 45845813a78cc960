import { describe, expect, it } from 'vitest';
import {
  locatePrinter,
  type PrinterAddress,
  parsePrinterAddress,
  printerAddressFault,
} from '../../src/lib/printer-address.ts';

describe('printerAddressFault', () => {
  it.each([
    'socket://192.168.1.20',
    'socket://zebra-1.magazzino.lan:9107',
    'ipp://10.0.0.5/printers/a4',
    'ipps://printer.example:443/ipp/print',
    'ipp://printer.example:80/ipp',
    'socket://[fd12::5]:9100',
  ])('takes %s', (address) => expect(printerAddressFault(address)).toBeNull());

  it.each([
    ['http://192.168.1.20:9100', 'must start with'],
    ['socket://192.168.1.20:22', 'must have one of the ports 9100'],
    ['socket://192.168.1.20:80', 'must have one of the ports 9100'],
    ['ipp://192.168.1.20:9100/ipp', 'must have one of the ports 631'],
    ['socket://169.254.169.254:9100', 'must not lead'],
    ['ipp://169.254.169.254:80/latest', 'must not lead'],
    ['ipp://0xA9FEA9FE:80/latest', 'must not lead'],
    ['ipp://[::ffff:169.254.169.254]:80/', 'must not lead'],
    ['ipp://100.100.100.200:80/', 'must not lead'],
    ['ipp://127.1:631/printers/x', 'must not lead'],
    ['ipp://localhost:631/printers/x', 'must not lead'],
    ['ipp://0.0.0.0:631/printers/x', 'must not lead'],
    ['socket://224.0.0.1:9100', 'must not lead'],
    ['ipp://user:word@10.0.0.5/ipp', 'user name'],
    ['socket://10.0.0.5:9100/path', 'path'],
    ['ipp://10.0.0.5/ipp?x=1', 'query'],
    ['socket://', 'must be a URL'],
  ])('refuses %s', (address, reason) => expect(printerAddressFault(address)).toContain(reason));

  it('takes further ports, and this machine in development', () => {
    expect(printerAddressFault('socket://10.0.0.5:6101', { extraPorts: [6101] })).toBeNull();
    expect(printerAddressFault('ipp://localhost:631/x', { allowLoopback: true })).toBeNull();
  });
});

describe('locatePrinter', () => {
  const named = parsePrinterAddress('socket://zebra.lan') as PrinterAddress;
  const found = (...addresses: string[]) => ({
    resolve: async () => addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
  });

  it('returns the first address that is allowed', async () => {
    expect(await locatePrinter(named, found('169.254.169.254', '192.168.1.20'))).toBe('192.168.1.20');
  });

  it('refuses a name that leads to metadata or this machine alone', async () => {
    await expect(locatePrinter(named, found('169.254.169.254', '127.0.0.1', '::1'))).rejects.toThrow(
      'no address that is allowed',
    );
    await expect(locatePrinter(named, found('::ffff:169.254.169.254'))).rejects.toThrow('no address that is allowed');
  });

  it('refuses an unknown name', async () => {
    const resolve = () => Promise.reject(new Error('ENOTFOUND'));
    await expect(locatePrinter(named, { resolve })).rejects.toThrow('zebra.lan cannot be looked up');
  });
});
