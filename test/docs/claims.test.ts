import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Environment } from '../../src/config.ts';
import { DOCUMENTS } from './read-documents.ts';

/** Tables that `npm run docs` writes, the record of a run, and decisions, which say what was known on their day. */
const APART = /^docs\/(carriers|marketplaces|reliability|decisions\/.*)\.md$/;

interface Claim {
  says: RegExp;
  /** The test, the bench or the only line of code that makes it true, by file and text. */
  shownBy: [file: string, text: string];
}

const CLAIMS: readonly Claim[] = [
  { says: /(bodies up to|the body is above) 2 MB/, shownBy: ['src/api/server.ts', 'MAX_BODY = 2 * 1024 * 1024'] },
  { says: /more than 32 MB of its bodies/, shownBy: ['test/api/limits.test.ts', 'hold at most 32 MB of bodies'] },
  {
    says: /(that of a webhook|a body) above 1 MiB|200 webhooks and 32 MiB/,
    shownBy: ['src/api/webhooks.ts', 'bytes: 1024 * 1024, ms: 10_000, requests: 200, totalBytes: 32 * 1024 * 1024'],
  },
  {
    says: /1 GiB per process of smista, 512 MiB for the scheduler, 2 GiB for PostgreSQL, 512 MiB/,
    shownBy: ['docker-compose.yml', 'mem_limit: 1g'],
  },
  {
    says: /20 MB(, a read 4 MB| for a write or a page of orders, 4 MB for another read)|answers more than 20 MiB/,
    shownBy: ['src/lib/http.ts', 'export const MAX_BYTES = 20 * 1024 * 1024'],
  },
  {
    says: /(After|after|for) 72 hours/,
    shownBy: ['test/usecases/events/event-failures.test.ts', 'for 72 hours, and then disabled'],
  },
  {
    says: /signs beside it for 24 hours/,
    shownBy: ['src/usecases/events/event-endpoints.ts', 'OLD_SECRET_MS = 24 * 3_600_000'],
  },
  {
    says: /under \*failed\* for 30 days/,
    shownBy: ['src/queue/queue-system.ts', 'FAILED_JOBS_KEPT_SECONDS = 30 * 24 * 3600'],
  },
  { says: /159 MB are installed instead of 250 MB/, shownBy: ['test/process/image.test.ts', 'under 170 MB'] },
  { says: /imports \| 7 days/, shownBy: ['test/usecases/upkeep/purge.test.ts', "name: 'read before', days: 8"] },
  {
    says: /not stored \| 1 day/,
    shownBy: ['test/usecases/upkeep/purge.test.ts', "name: 'poll without news of yesterday', days: 2"],
  },
  { says: /limited traffic \| 90 days/, shownBy: ['src/usecases/upkeep/purge.ts', 'VERDICT_MS = 90 * 86_400_000'] },
  { says: /end within 30 days/, shownBy: ['src/domain/pricing/price-list-holes.ts', 'WARNED_DAYS = 30'] },
  {
    says: /delivered 25 hours later, at the depot 24 hours later, destroyed 24 hours later/,
    shownBy: ['sandbox/src/partners/gls-it/journey.ts', "25: '906' }"],
  },
  { says: /under a new number for 36 hours/, shownBy: ['sandbox/src/partners/gls-it/journey.ts', "36: '906' }"] },
  {
    says: /has its number 0\.4 seconds after/,
    shownBy: ['sandbox/src/partners/inpost-it/books.ts', 'MAKING_MS = 400'],
  },
  {
    says: /takes 200 ms \| 42 labels a second/,
    shownBy: ['bench/RESULTS.md', '1 worker processes, carrier of 200 ms | 42'],
  },
  { says: /takes 50 ms \| 107 polls a second/, shownBy: ['bench/RESULTS.md', 'takes 50 ms: 107 polls a second'] },
  { says: /832 orders a second/, shownBy: ['bench/RESULTS.md', 'POST /orders, 2 items | 832'] },
  {
    says: /a million requests \| 262, 583/,
    shownBy: ['bench/RESULTS.md', 'memory of the api | 579, 580, 580, 580, 583'],
  },
  { says: /10,000 labels \| 259, 407/, shownBy: ['bench/RESULTS.md', 'MiB of worker | 259 | 407'] },
  { says: /at the most \| 263/, shownBy: ['bench/RESULTS.md', 'MiB of scheduler | 263'] },
  { says: /4\.9 KiB/, shownBy: ['bench/RESULTS.md', 'per order with its label | – | 4.9'] },
  {
    says: /grows in 90 days \| 0\.4 \| 4\.2 \| 42/,
    shownBy: ['bench/RESULTS.md', 'per order with its label | – | 4.9'],
  },
  {
    says: /some 60 KB each/,
    shownBy: ['docs/decisions/0022-pages-are-copied-while-they-are-sent.md', '5,000 labels (300 MB)'],
  },
  { says: /2000 and 100 a second/, shownBy: ['test/marketplaces/shopify/sandbox.test.ts', 'restoreRate: 100'] },
];

const NUMBER =
  /\b\d[\d.,]* ?(?:ms|s|seconds?|minutes?|hours?|days?|weeks?|months?|[kMG]i?B|per second|a second|a minute)\b/;

/** Without blocks of code, and without the intervals of queries. */
function prose(text: string): string {
  return text.replaceAll(/^```[\s\S]*?^```/gm, '').replaceAll(/interval '[^']*'/g, '');
}

interface Line {
  file: string;
  text: string;
}

const lines: Line[] = DOCUMENTS.filter((file) => !APART.test(file)).flatMap((file) =>
  prose(readFileSync(file, 'utf8'))
    .split('\n')
    .map((text) => ({ file, text })),
);

describe('a number in the documents', () => {
  it('has something that shows it', () => {
    const unproved = lines.filter(({ text }) => {
      const rest = CLAIMS.reduce((left, { says }) => left.replace(new RegExp(says, 'g'), ''), text);
      return NUMBER.test(rest);
    });

    expect(unproved.map(({ file, text }) => `${file}: ${text}`)).toEqual([]);
  });

  it.for(CLAIMS)('$says is still said, and still shown', ({ says, shownBy: [file, text] }) => {
    expect(lines.some((line) => says.test(line.text))).toBe(true);
    expect(readFileSync(file, 'utf8')).toContain(text);
  });

  it('behind the name of a setting is its default', () => {
    const defaults = Environment.parse({}) as Record<string, unknown>;
    const said = lines.flatMap(({ file, text }) =>
      [...text.matchAll(/`([A-Z][A-Z_0-9]+)` \((\d+)\)/g)].map(([, name = '', value]) => ({ file, name, value })),
    );

    expect(said.length).toBeGreaterThan(8);
    expect(said.filter(({ name, value }) => String(defaults[name]) !== value)).toEqual([]);
  });
});
