import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

/** The rooms: each page, the decisions together, each folder of the source, and the programs and helpers beside it. */
const ROOMS = [
  'README.md',
  ...globSync('docs/*.md'),
  'docs/decisions',
  ...globSync('src/*', { withFileTypes: true }).map(({ name }) => `src/${name}`),
  'bench',
  'chaos',
  'console',
  ...globSync('sandbox/src/*').map((path) => path.replaceAll('\\', '/')),
  'test/support',
].toSorted();

/** The test files, by folder; this file quotes faulty titles. */
const TESTS = globSync('test/*', { withFileTypes: true })
  .map(({ name }) => `test/${name}`)
  .filter((room) => room !== 'test/prose.test.ts' && testsOf(room).length > 0)
  .toSorted();

/** The page that names the words, and so cannot do without them. */
const SPEAKS_OF_WORDS = 'docs/style.md';

const MAX_WORDS = 25;

/** Banned words hide the subject or sound foreign. */
const BANNED_WORDS =
  /\b(nobody|somebody|whoever|anew|surely|no more(?! than)|so many|all the same|is had|(?:is|are) told of)\b/i;

/** A sentence that opens so puts its object or its condition before its subject. */
const BANNED_OPENING = /^(Of|What|Whose|As|By)\b/;

/** "Returns", "Locks": the verb says at once what a caller gets. */
const OPENS_WITH_A_VERB = /^(?!(This|Its|Always|Sometimes)\b)[A-Z][a-z]+s\b/;

interface Piece {
  place: string;
  text: string;
}

const SENTENCE_END = /(?<=[.!?][)*"]*) +(?=\S)/;

/** Lists the sentences of a page: without code, tables and headings, and with a link read as its text. */
function sentencesOf(page: string): string[] {
  return page
    .replaceAll(/^```[\s\S]*?^```/gm, '')
    .replaceAll(/`[^`\n]*`/g, 'code')
    .replaceAll(/\]\([^)\s]+\)/g, ']')
    .split('\n')
    .filter((line) => !/^\s*[|#]/.test(line))
    .map((line) => line.replace(/^\s*(?:[-*]|\d+\.) /, '').replaceAll('**', ''))
    .flatMap((line) => line.split(SENTENCE_END))
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');
}

interface Comment {
  text: string;
  /** The comment stands above an exported function. */
  ofFunction: boolean;
}

/** Lists the comments of a source file; lines of `//` that follow each other are one. */
function commentsOf(source: string): Comment[] {
  const found = source.matchAll(/\/\*\*([\s\S]*?)\*\/\s*(export (?:async )?function)?|((?:(?<=^|\s)\/\/ .*\s*)+)/gm);
  return [...found].map(([, block, exported, line]) => ({
    text: (block ?? line ?? '')
      .replaceAll(/^\s*(\*|\/\/) ?/gm, '')
      .replaceAll(/\s+/g, ' ')
      .trim(),
    ofFunction: exported !== undefined,
  }));
}

function wordsIn(sentence: string): number {
  return sentence.split(/\s+/).filter((word) => /\w/.test(word)).length;
}

function testsOf(room: string): string[] {
  return globSync([room, `${room}/**/*.test.ts`], { exclude: ['**/node_modules/**'] })
    .filter((file) => file.endsWith('.test.ts'))
    .toSorted();
}

/** Lists the titles of `describe`, `it` and `test`, also below `it.each(…)`, whose table may be long. */
function titlesOf(source: string): string[] {
  const calls = /^\s*(?:(?:describe|it|test)\(|(?:(?:describe|it|test)\..*)?(?:\][^()]*)?\)\()\s*(['"`])(.+?)\1,/gm;
  return [...source.matchAll(calls)].map(([, , title = '']) => title);
}

function faultsOfTitles({ place, text }: Piece): string[] {
  return titlesOf(text).flatMap((title) => [
    ...faultsOfLength(place, title),
    ...(/^(And|Also|It)\b/i.test(title) ? [`${place}: opens badly: ${title}`] : []),
    ...(BANNED_WORDS.test(title) ? [`${place}: has a banned word: ${title}`] : []),
  ]);
}

function faultsOfLength(place: string, sentence: string): string[] {
  const words = wordsIn(sentence);
  return words > MAX_WORDS ? [`${place}: ${words} words: ${sentence}`] : [];
}

function faultsOfPage({ place, text }: Piece): string[] {
  return sentencesOf(text).flatMap((sentence) => [
    ...faultsOfLength(place, sentence),
    ...(BANNED_OPENING.test(sentence) ? [`${place}: opens badly: ${sentence}`] : []),
  ]);
}

function faultsOfSource({ place, text }: Piece): string[] {
  return commentsOf(text).flatMap((comment) => [
    ...comment.text.split(SENTENCE_END).flatMap((sentence) => faultsOfLength(place, sentence)),
    ...(BANNED_OPENING.test(comment.text) ? [`${place}: opens badly: ${comment.text}`] : []),
    ...(comment.ofFunction && !OPENS_WITH_A_VERB.test(comment.text)
      ? [`${place}: does not open with a verb: ${comment.text}`]
      : []),
  ]);
}

/** Messages count as much as comments, so words are looked for in the whole file. */
function faultsOfWords({ place, text }: Piece): string[] {
  return place === SPEAKS_OF_WORDS
    ? []
    : text.split('\n').flatMap((line, index) => {
        const [word] = BANNED_WORDS.exec(line) ?? [];
        return word === undefined ? [] : [`${place}:${index + 1}: "${word}": ${line.trim()}`];
      });
}

function faultsOfRoom(room: string): string[] {
  const files = globSync([room, `${room}/**/*.{ts,tsx,md}`], { exclude: ['**/*types.d.ts'] }).filter((file) =>
    /\.(tsx?|md)$/.test(file),
  );
  return files
    .toSorted()
    .map((file) => ({ place: file, text: readFileSync(file, 'utf8') }))
    .flatMap((piece) => [
      ...(piece.place.endsWith('.md') ? faultsOfPage(piece) : faultsOfSource(piece)),
      ...faultsOfWords(piece),
    ]);
}

describe('prose', () => {
  it.for(ROOMS)('in %s follows docs/style.md', (room) => {
    expect(faultsOfRoom(room)).toEqual([]);
  });

  it.for(TESTS)('in the titles of %s says subject and behaviour', (room) => {
    const pieces = testsOf(room).map((file) => ({ place: file, text: readFileSync(file, 'utf8') }));

    expect(pieces.flatMap(({ text }) => titlesOf(text))).not.toEqual([]);
    expect(pieces.flatMap(faultsOfTitles)).toEqual([]);
  });

  it('is found faulty when a title has 26 words, opens badly or has a banned word', () => {
    const text =
      `describe('${'word '.repeat(26)}', () => {\n  it("also it's empty", () => {});\n  it.each([1])('asks Nobody', () => {});\n` +
      "  it.each([\n    ['a'],\n  ])('and %s', () => {});\n  it(\n    `is fine`,\n    () => {},\n  );\n});";

    expect(titlesOf(text)).toHaveLength(5);
    expect(faultsOfTitles({ place: 'a.test.ts', text })).toEqual([
      expect.stringContaining('a.test.ts: 26 words'),
      "a.test.ts: opens badly: also it's empty",
      'a.test.ts: has a banned word: asks Nobody',
      'a.test.ts: opens badly: and %s',
    ]);
  });

  it('is found faulty when a page has a long sentence, a bad opening or a banned word', () => {
    const text = `${'word '.repeat(26)}.\n\nOf all keys, this one stays.\nIt is made Anew.\n| Of a table |\n\`Of code\` is one word.`;
    const piece = { place: 'page.md', text };

    expect([...faultsOfPage(piece), ...faultsOfWords(piece)]).toEqual([
      expect.stringContaining('26 words'),
      'page.md: opens badly: Of all keys, this one stays.',
      'page.md:4: "Anew": It is made Anew.',
    ]);
  });

  it('is found faulty when a comment is long or opens badly, or a function has no verb', () => {
    const text =
      `// It ${'goes on '.repeat(13)}.\nf();\n` +
      "// What is left.\nconst url = 'http://Of';\n/**\n * The rows\n * of it.\n */\nexport async function f() {}\n/** Returns. */\nexport function g() {}";

    expect(faultsOfSource({ place: 'a.ts', text })).toEqual([
      expect.stringContaining('a.ts: 27 words: It goes on'),
      'a.ts: opens badly: What is left.',
      'a.ts: does not open with a verb: The rows of it.',
    ]);
  });
});
