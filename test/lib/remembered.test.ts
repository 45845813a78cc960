import { describe, expect, it } from 'vitest';
import { remembered } from '../../src/lib/remembered.ts';

describe('a remembered value', () => {
  it('is computed once, and again when it was forgotten for others that were asked for later', () => {
    const computed: string[] = [];
    const length = remembered(2, (key) => {
      computed.push(key);
      return key.length;
    });

    const answers = ['a', 'bb', 'a', 'ccc', 'a', 'bb'].map(length);

    expect(answers).toEqual([1, 2, 1, 3, 1, 2]);
    expect(computed).toEqual(['a', 'bb', 'ccc', 'bb']);
  });

  it('may be null, which is computed once too', () => {
    let calls = 0;
    const nothing = remembered(2, () => {
      calls += 1;
      return null;
    });

    expect([nothing('a'), nothing('a')]).toEqual([null, null]);
    expect(calls).toBe(1);
  });
});
