import { describe, expect, it } from 'vitest';
import { isAllowedAddress, isPublicAddress, urlFault } from '../../src/lib/public-address.ts';

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

/** Services of clouds that give out credentials of the machine. */
const METADATA = [
  '168.63.129.16',
  '169.254.169.254',
  '169.254.170.2',
  '100.100.100.200',
  '192.0.0.192',
  '::ffff:169.254.169.254',
  '::ffff:168.63.129.16',
  'fe80::a9fe:a9fe',
  'fd00:ec2::254',
  'fd00:0ec2:0:0::23',
  'fd20:ce::254',
  'fd00:c1::a9fe:a9fe',
];

describe('the metadata service of a cloud', () => {
  it.each(METADATA)('is refused at %s, also where private addresses are allowed', (address) => {
    const host = address.includes(':') ? `[${address}]` : address;

    expect(isPublicAddress(address)).toBe(false);
    expect(isAllowedAddress(address, { allowPrivate: true })).toBe(false);
    expect(urlFault(`http://${host}/`, { allowPrivate: true })).toContain('public');
  });

  it.each(['10.0.0.1', '127.0.0.1', '::1', 'fd12:3456::1', '93.184.216.34'])(
    'is not %s, which private receivers may have',
    (address) => {
      expect(isAllowedAddress(address, { allowPrivate: true })).toBe(true);
    },
  );
});

describe('a URL to send to', () => {
  const fault = (url: string) => urlFault(url, { allowPrivate: false });

  it.each([
    'https://receiver.example/events',
    'https://receiver.example:8443/events?token=1',
    'https://receiver.example:80/events',
    'https://receiver.example:443/events',
    'https://receiver.example:1024/events',
    'https://receiver.example:65535/events',
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
    ['https://receiver.example:22/', 'port'],
    ['https://receiver.example:1023/', 'port'],
    ['https://receiver.example:0/', 'port'],
    ['https://168.63.129.16/', 'public'],
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
    expect(urlFault('http://localhost:81/', allowed)).toBeNull();
    expect(urlFault('http://a:b@localhost/', allowed)).toContain('password');
    expect(urlFault('ftp://localhost/', allowed)).toContain('https');
  });
});
