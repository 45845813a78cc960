import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';

/** Returns a Node of this machine that cannot read TypeScript; null when there is none. */
export function findOldNode(): string | null {
  for (const directory of (process.env.PATH ?? '').split(path.delimiter)) {
    const node = path.join(directory, 'node');
    if (!existsSync(node)) continue;
    const [major = 0] = execFileSync(node, ['-p', 'process.versions.node'], { encoding: 'utf8' })
      .split('.')
      .map(Number);
    if (major < 22) return node;
  }
  return null;
}
