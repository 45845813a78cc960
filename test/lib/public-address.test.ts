import { describe, expect, it } from 'vitest';
import { isPublicAddress, urlFault } from '../../src/lib/public-address.ts';

/** IANA special-purpose registries, and the forms that carry an IPv4 address. */
const REFUSED = [
  '0.0.0.0',
  '0.1.2.3',
  '10.0.0.1',
  '100.64.0.1',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.8',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.1.1',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::7f00:1',
  '::ffff:127.0.0.1',
  '::ffff:93.184.216.34',
  '64:ff9b::a00:1',
  '64:ff9b:1::a00:1',
  '100::1',
  '2001::1',
  '2001:2::1',
  '2001:db8::1',
  '2002:7f00:1::',
  '3fff::1',
  '4000::1',
  '5f00::1',
  'fc00::1',
  'fd12:3456::1',
  'fe80::1',
  'fe80::1%eth0',
  'fec0::1',
  'ff02::1',
  'localhost',
  '',
];

describe('an address', () => {
  it.each(REFUSED)('is not public when it is %s', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it.each(['93.184.216.34', '8.8.8.8', '172.32.0.1', '100.128.0.1', '2a00:1450:4002:80a::200e', '2606:4700::1111'])(
    'is public when it is %s',
    (address) => {
      expect(isPublicAddress(address)).toBe(true);
    },
  );
});

describe('a URL to send to', () => {
  const fault = (url: string) => urlFault(url, { allowPrivate: false });

  it.each([
    'https://receiver.example/events',
    'https://receiver.example:8443/events?token=1',
    'https://93.184.216.34/',
    'https://[2606:4700::1111]/',
  ])('may be %s', (url) => {
    expect(fault(url)).toBeNull();
  });

  it.each([
    ['http://receiver.example/', 'https'],
    ['ftp://receiver.example/', 'https'],
    ['file:///etc/passwd', 'https'],
    ['https://user:pass@receiver.example/', 'user name'],
    ['https://user@receiver.example/', 'user name'],
    ['https://receiver.example/#part', 'fragment'],
    ['https://localhost/', 'public'],
    ['https://api.LOCALHOST./', 'public'],
    ['https://127.0.0.1/', 'public'],
    ['https://2130706433/', 'public'],
    ['https://0x7f.1/', 'public'],
    ['https://0177.0.0.1/', 'public'],
    ['https://127.1/', 'public'],
    ['https://①②⑦.⓪.⓪.①/', 'public'],
    ['https://[::ffff:7f00:1]/', 'public'],
    ['https://[::]/', 'public'],
    ['not a url', 'URL'],
    [`https://receiver.example/${'x'.repeat(2000)}`, 'URL'],
  ])('may not be %s', (url, word) => {
    expect(fault(url)).toContain(word);
  });

  it('may be private and without TLS where that is allowed, and never hold a password', () => {
    const allowed = { allowPrivate: true };

    expect(urlFault('http://127.0.0.1:4000/events', allowed)).toBeNull();
    expect(urlFault('http://localhost/', allowed)).toBeNull();
    expect(urlFault('http://a:b@localhost/', allowed)).toContain('password');
    expect(urlFault('ftp://localhost/', allowed)).toContain('https');
  });
});
