import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { guideBlocks, PLAIN_VITEST, runIn, TSC_ARGS } from './support/guide.ts';

/** The copies have no configuration of ours, and the machine may be busy. */
const PATIENCE = '--testTimeout=60000';

/** Follows a change by hand, as a reader would: what begins with a minus gives way to what begins with a plus. */
function followDiff(content: string, diff: string): string {
  const lines = diff.split('\n');
  const taken = (sign: string): string =>
    lines
      .filter((line) => line.startsWith(sign))
      .map((line) => line.slice(1))
      .join('\n');
  const [before, after] = [taken('-'), taken('+')];
  if (!content.includes(before)) throw new Error(`The guide changes a line that is not there: ${before}`);
  return content.replace(before, after);
}

const GUIDES = [
  {
    guide: 'docs/add-a-carrier.md',
    registry: 'src/carriers/index.ts',
    test: 'test/carriers/acme-it.test.ts',
    promises: 'acme-it keeps the promises of every carrier',
    counts: '14 passed (14)',
  },
  {
    guide: 'docs/add-a-marketplace.md',
    registry: 'src/marketplaces/index.ts',
    test: 'test/marketplaces/acme-shop.test.ts',
    promises: 'acme-shop keeps the rules of a marketplace',
    // It has no webhook.
    counts: '28 passed | 1 skipped (29)',
  },
];

describe.each(GUIDES)(
  '$guide, inside this repository',
  { timeout: 180_000 },
  ({ guide, registry, test, promises, counts }) => {
    const blocks = guideBlocks(guide).filter(({ language }) => language !== 'jsonc');
    const registries = [registry, 'sandbox/src/partners/index.ts'];
    let directory: string;

    beforeAll(() => {
      directory = mkdtempSync(path.join(tmpdir(), 'smista-guide-'));
      for (const part of ['src', 'test', 'sandbox', 'package.json', 'tsconfig.json']) {
        cpSync(part, path.join(directory, part), { recursive: true });
      }
      symlinkSync(path.resolve('node_modules'), path.join(directory, 'node_modules'));
      for (const { language, file, text } of blocks) {
        const target = path.join(directory, file);
        mkdirSync(path.dirname(target), { recursive: true });
        writeFileSync(target, language === 'diff' ? followDiff(readFileSync(target, 'utf8'), text) : text);
      }
      writeFileSync(path.join(directory, 'vitest.config.ts'), PLAIN_VITEST);
      writeFileSync(
        path.join(directory, 'tsconfig.acme.json'),
        JSON.stringify({ extends: './tsconfig.json', include: [], files: [...registries, test] }),
      );
    });
    afterAll(() => rmSync(directory, { recursive: true, force: true }));

    it('changes one line in each of two registries and nothing else that is there', () => {
      const changed = blocks.filter(({ language }) => language === 'diff');

      expect(changed.map(({ file }) => file)).toEqual(registries);
      for (const { text } of changed) expect(text.split('\n').filter((line) => line.startsWith('-'))).toHaveLength(1);
    });

    it('builds an adapter whose types are right', async () => {
      await runIn(directory, 'tsc', ...TSC_ARGS, 'tsconfig.acme.json');
    });

    it('builds an adapter that keeps its promises', async () => {
      const said = await runIn(directory, 'vitest', 'run', test, '--reporter=verbose', PATIENCE);

      expect(said).toContain(promises);
      expect(said).toContain(counts);
    });
  },
);
