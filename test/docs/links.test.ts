import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

/** Also the documents beside the code. */
const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  ...globSync('{docs,src,test,bench,sandbox}/**/*.md', { exclude: ['**/node_modules/**'] }),
].toSorted();

const contents = new Map(PAGES.map((file) => [path.normalize(file), readFileSync(file, 'utf8')]));

function withoutBlocks(text: string): string {
  return text.replaceAll(/^```[\s\S]*?^```/gm, '').replaceAll(/`[^`\n]*`/g, '``');
}

/** The anchors that a code host gives to the headings of a page. */
function anchorsOf(text: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading = ''] of text.replaceAll(/^```[\s\S]*?^```/gm, '').matchAll(/^#{1,6} (.+)$/gm)) {
    const words = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const slug = words.replaceAll(/[^\p{L}\p{N}\- _]/gu, '').replaceAll(' ', '-');
    let anchor = slug;
    for (let count = 1; anchors.has(anchor); count++) anchor = `${slug}-${count}`;
    anchors.add(anchor);
  }
  return anchors;
}

interface Link {
  file: string;
  target: string;
}

const links: Link[] = [...contents].flatMap(([file, text]) =>
  [...withoutBlocks(text).matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/g)].map(([, target = '']) => ({ file, target })),
);

function isBroken({ file, target }: Link): boolean {
  const [place = '', anchor] = target.split('#');
  const page = place === '' ? file : path.join(path.dirname(file), place);
  if (globSync(page).length === 0) return true;
  if (anchor === undefined) return false;
  return !anchorsOf(contents.get(path.normalize(page)) ?? '').has(anchor);
}

describe('links between documents', () => {
  it('lead to files and headings that exist', () => {
    expect(links.filter(isBroken).map(({ file, target }) => `${file} -> ${target}`)).toEqual([]);
    expect(links.length).toBeGreaterThan(50);
  });

  it('name only paths of the code that exist', () => {
    const named = [...contents].flatMap(([file, text]) =>
      [...text.matchAll(/`((?:src|test|bench|chaos|scripts|sandbox)\/[\w./*-]*\w)`/g)].map(([, target = '']) => ({
        file,
        target,
      })),
    );

    expect(named.filter(({ target }) => globSync(target).length === 0)).toEqual([]);
    expect(named.length).toBeGreaterThan(20);
  });

  it('are found broken when a file or a heading is missing', () => {
    const broken = ['nowhere.md', 'api.md#nothing-of-the-kind', '#nor-here'];

    expect(broken.filter((target) => isBroken({ file: 'docs/errors.md', target }))).toEqual(broken);
  });
});
