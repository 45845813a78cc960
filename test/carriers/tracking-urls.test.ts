import { describe, expect, it } from 'vitest';
import { carriers } from '../../src/carriers/index.ts';

describe.each([...carriers])('the public tracking page of %s', (_id, carrier) => {
  it.each(['YA610000001', '061014000001', 'A/B 1&c=2'])('is an https address that contains the number %s', (number) => {
    const address = carrier.trackingUrl?.(number, {}) ?? '';

    expect(new URL(address).protocol).toBe('https:');
    expect(address).toContain(encodeURIComponent(number));
  });
});
