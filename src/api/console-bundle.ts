import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';

export const CONSOLE_PATH = '/console';

const SOURCES = path.resolve(import.meta.dirname, '../../console');
/** An image or a package has the finished files here instead of the sources. */
const BUILT = path.join(SOURCES, 'built');
const PAGE = 'index.html';
const QUALITY = 5;
const compress = promisify(brotliCompress);

/** A file below `/console/assets`. */
interface Asset {
  /** Extension, with its dot. */
  type: string;
  plain: Buffer;
  brotli: Buffer;
}

export interface Bundle {
  assets: ReadonlyMap<string, Asset>;
  page: Buffer;
}

/** Reads the finished files of the console. Where there are none, as in a clone, it bundles the sources in memory. */
export async function openBundle(): Promise<Bundle> {
  const files = existsSync(path.join(BUILT, PAGE)) ? await readFiles(BUILT) : await bundleConsole();
  const page = files.get(PAGE) ?? Buffer.alloc(0);
  const assets = new Map<string, Asset>();
  for (const [name, plain] of files) {
    if (name === PAGE) continue;
    const brotli = await compress(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY } });
    assets.set(name, { type: path.extname(name), plain, brotli });
  }
  return { assets, page };
}

/** Writes the finished files of the console, for an image or a package. */
export async function writeBundle(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true });
  for (const [name, bytes] of await bundleConsole()) await writeFile(path.join(directory, name), bytes);
}

async function readFiles(directory: string): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>();
  for (const name of await readdir(directory)) files.set(name, await readFile(path.join(directory, name)));
  return files;
}

/** Bundles the sources of the console. Each screen is a file of its own, which a browser loads when it is opened. */
async function bundleConsole(): Promise<Map<string, Buffer<ArrayBufferLike>>> {
  const { build, stop } = await import('esbuild');
  const { outputFiles, metafile } = await build({
    absWorkingDir: SOURCES,
    entryPoints: ['main.tsx'],
    outdir: 'assets',
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    target: 'es2022',
    minify: true,
    jsx: 'automatic',
    jsxImportSource: 'preact',
    alias: { react: 'preact/compat', 'react-dom': 'preact/compat' },
    write: false,
    metafile: true,
    logLevel: 'silent',
  });
  // Its process serves nothing more.
  await stop();
  const files: Map<string, Buffer> = new Map(
    outputFiles.map(({ path: file, contents }) => [path.basename(file), Buffer.from(contents)]),
  );
  const entry = Object.entries(metafile.outputs).find(([, output]) => output.entryPoint === 'main.tsx');
  if (!entry) throw new Error('The bundle has no entry');
  const [script, { cssBundle }] = entry;
  return files.set(PAGE, pageOf(path.basename(script), path.basename(cssBundle ?? '')));
}

function pageOf(script: string, style: string): Buffer {
  return Buffer.from(`<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <title>smista</title>
  <link rel="icon" href="data:,">
  <link rel="stylesheet" href="${CONSOLE_PATH}/assets/${style}">
  <script type="module" src="${CONSOLE_PATH}/assets/${script}"></script>
</head>
<body>
  <div id="console"></div>
  <noscript>The console needs JavaScript.</noscript>
</body>
</html>
`);
}
