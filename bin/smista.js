#!/usr/bin/env node
// Runs the command line on a Node that reads TypeScript: this one if it can, else the one in node_modules.
import { spawn } from 'node:child_process';
import module from 'node:module';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major > 22 || (major === 22 && minor >= 18)) {
  // Reading some four hundred TypeScript files takes longer than most commands do: what was read once is kept.
  module.enableCompileCache();
  await import(main).catch((error) => {
    // Only of a package: a file of ours that is missing deserves its stack.
    if (error.code !== 'ERR_MODULE_NOT_FOUND' || !error.message.includes('package')) throw error;
    console.error('The packages that smista needs are not installed: run `npm ci` first');
    process.exitCode = 1;
  });
} else {
  const node = fileURLToPath(new URL('../node_modules/node/bin/node', import.meta.url));
  const child = spawn(node, [main, ...process.argv.slice(2)], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  child.on('error', () => {
    console.error(
      `smista needs Node 22.18 or newer, and this is ${process.versions.node}: install a newer one, or run \`npm ci\`, which brings one`,
    );
    process.exitCode = 1;
  });
  child.on('exit', (code) => {
    process.exitCode = code ?? 1;
  });
}
