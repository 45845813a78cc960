#!/usr/bin/env node
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major > 22 || (major === 22 && minor >= 18)) await import('../src/main.ts');
else {
  console.error(`smista-sandbox needs Node 22.18 or newer, and this is ${process.versions.node}`);
  process.exitCode = 1;
}
