import { globSync, readFileSync } from 'node:fs';

export interface Block {
  file: string;
  language: string;
  text: string;
}

export const DOCUMENTS = ['README.md', 'CONTRIBUTING.md', ...globSync('docs/**/*.md').toSorted()];

/** Every fenced block that names its language, in the order in which a reader meets them. */
export const BLOCKS: readonly Block[] = DOCUMENTS.flatMap((file) =>
  [...readFileSync(file, 'utf8').matchAll(/^```(\w+)[^\n]*\n([\s\S]*?)^```/gm)].map(([, language = '', text = '']) => ({
    file,
    language,
    text,
  })),
);

export function blocksOf(language: string, file?: string): readonly Block[] {
  return BLOCKS.filter((block) => block.language === language && (file === undefined || block.file === file));
}
