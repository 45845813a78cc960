import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { writeBundle } from '../src/api/console-bundle.ts';

// Writes the package that others install into dist/, or the folder that is given: JavaScript, since Node strips no types inside
// node_modules. Decision 0027.
const DIST = process.argv[2] ?? 'dist';
const SANDBOX = path.join(DIST, 'node_modules/smista-sandbox');

interface Manifest {
  [field: string]: unknown;
  version: string;
  exports: Record<string, string>;
  dependencies: Record<string, string>;
}

function readManifest(file: string): Manifest {
  return JSON.parse(readFileSync(file, 'utf8')) as Manifest;
}

function writeManifest(folder: string, manifest: Record<string, unknown>): void {
  writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

function tsc(project: string): void {
  execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', project, '--outDir', DIST], {
    stdio: 'inherit',
  });
}

/** `./src/adapter.ts` as what was built of it, with its types. */
function builtExports(exports: Record<string, string>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(exports).map(([name, file]) => {
      if (!file.endsWith('.ts')) return [name, file];
      return [name, { types: file.replace(/\.ts$/, '.d.ts'), default: file.replace(/\.ts$/, '.js') }];
    }),
  );
}

/** Copies a command's entry point, which names JavaScript in the package instead of TypeScript. */
function copyBin(from: string, to: string): void {
  mkdirSync(path.dirname(to), { recursive: true });
  writeFileSync(to, readFileSync(from, 'utf8').replaceAll('src/main.ts', 'src/main.js'), { mode: 0o755 });
}

rmSync(DIST, { recursive: true, force: true });
tsc('tsconfig.build.json');
// Types of what is exported, and of nothing else.
tsc('tsconfig.types.json');
for (const file of globSync('src/**/*.{txt,svg,ttf}')) cpSync(file, path.join(DIST, file));
for (const file of ['README.md', 'CHANGELOG.md', 'NOTICE', 'examples']) {
  cpSync(file, path.join(DIST, file), { recursive: true });
}
copyBin('bin/smista.js', path.join(DIST, 'bin/smista.js'));

await writeBundle(path.join(DIST, 'console/built'));
mkdirSync(path.dirname(SANDBOX), { recursive: true });
renameSync(path.join(DIST, 'sandbox'), SANDBOX);
copyBin('sandbox/bin/smista-sandbox.js', path.join(SANDBOX, 'bin/smista-sandbox.js'));
cpSync('sandbox/README.md', path.join(SANDBOX, 'README.md'));
const sandbox = readManifest('sandbox/package.json');
writeManifest(SANDBOX, { ...sandbox, exports: builtExports(sandbox.exports) });

const { scripts, devDependencies, workspaces, overrides, ...manifest } = readManifest('package.json');
writeManifest(DIST, {
  ...manifest,
  files: ['bin', 'src', 'test', 'examples', 'CHANGELOG.md', 'NOTICE'],
  exports: builtExports(manifest.exports),
  dependencies: { ...manifest.dependencies, 'smista-sandbox': sandbox.version },
  bundleDependencies: ['smista-sandbox'],
});
