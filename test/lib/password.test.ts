import { describe, expect, it } from 'vitest';
import { hashPassword, isPassword } from '../../src/lib/password.ts';

describe('a password', () => {
  it('fits its own hash only, however it is composed, and no hash at all', async () => {
    const [hash, twin] = await Promise.all([hashPassword('caffè'), hashPassword('caffè')]);

    const fits = await Promise.all([
      isPassword('caffè', hash),
      isPassword('caffe\u0300', hash),
      isPassword('caffe', hash),
      isPassword('caffè', null),
      isPassword('caffè', 'spoiled'),
    ]);

    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
    expect(twin).not.toBe(hash);
    expect(fits).toEqual([true, true, false, false, false]);
  });

  it('is refused while too many wait to be hashed, so that logins do not fill the memory', async () => {
    const settled = await Promise.allSettled(Array.from({ length: 40 }, (_, at) => hashPassword(String(at))));

    const refused = settled.filter((one) => one.status === 'rejected');
    expect(refused).toHaveLength(8);
    expect(refused[0]?.reason).toMatchObject({ status: 503, code: 'busy', retryable: true });
  });
});
