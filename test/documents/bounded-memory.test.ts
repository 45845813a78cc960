import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const run = promisify(execFile);
const SCRIPT = new URL('make-many.ts', import.meta.url).pathname;

/** In a process of its own whose heap is small: what holds everything in memory does not come to its end. */
async function makeMany(what: 'labels' | 'bordero' | 'csv' | 'xlsx', count: number) {
  const { stdout } = await run(process.execPath, ['--max-old-space-size=64', SCRIPT, what, String(count)]);
  return JSON.parse(stdout) as {
    bytes: number;
    largest: number;
    isWhole: boolean;
    rss: { early: number; most: number };
  };
}

describe('the memory of large documents', { timeout: 300_000 }, () => {
  it('does not grow with labels of 120 MB', async () => {
    const { bytes, largest, isWhole, rss } = await makeMany('labels', 2000);

    expect(isWhole).toBe(true);
    expect(bytes).toBeGreaterThan(120_000_000);
    expect(largest).toBeLessThan(500_000);
    expect(rss.most - rss.early).toBeLessThan(60_000);
  });

  it('does not grow with a bordero of three thousand parcels', async () => {
    const { largest, isWhole, rss } = await makeMany('bordero', 3000);

    expect(isWhole).toBe(true);
    expect(largest).toBeLessThan(200_000);
    expect(rss.most - rss.early).toBeLessThan(60_000);
  });

  it.each(['csv', 'xlsx'] as const)('does not grow with a table of forty thousand rows as %s', async (format) => {
    const { bytes, largest, isWhole, rss } = await makeMany(format, 40_000);

    expect(isWhole).toBe(true);
    expect(bytes).toBeGreaterThan(format === 'csv' ? 52_000_000 : 36_000_000);
    expect(largest).toBeLessThan(2_000_000);
    expect(rss.most - rss.early).toBeLessThan(90_000);
  });
});
