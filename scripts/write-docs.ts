/** Writes the files that come from the code: `npm run docs`. */
import { writeFileSync } from 'node:fs';
import { GENERATED_DOCS } from './generated-docs.ts';

for (const [file, content] of Object.entries(GENERATED_DOCS)) {
  writeFileSync(new URL(`../${file}`, import.meta.url), content());
  console.log(file);
}
