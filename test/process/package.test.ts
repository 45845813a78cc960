import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runIn, TSC_ARGS } from '../support/guide.ts';
import { ROOT } from './run-command.ts';

const MODULES = path.join(ROOT, 'node_modules');

describe('the package that npm installs', { timeout: 180_000 }, () => {
  let directory: string;
  let installed: string;

  // The tarball's own files; its dependencies are those of this checkout, so that no registry is needed.
  beforeAll(() => {
    directory = mkdtempSync(path.join(tmpdir(), 'smista-tarball-'));
    const [dist, empty] = [path.join(directory, 'dist'), path.join(directory, 'empty')];
    const modules = path.join(empty, 'node_modules');
    installed = path.join(modules, 'smista');
    mkdirSync(installed, { recursive: true });
    execFileSync(process.execPath, ['scripts/build.ts', dist], { cwd: ROOT });
    execFileSync('npm', ['pack', dist, '--pack-destination', directory], { cwd: directory, stdio: 'ignore' });
    const [tarball = ''] = readdirSync(directory).filter((name) => name.endsWith('.tgz'));
    execFileSync('tar', ['-xzf', path.join(directory, tarball), '-C', installed, '--strip-components=1']);
    for (const name of readdirSync(MODULES)) {
      if (!/^(\.|smista)/.test(name)) symlinkSync(path.join(MODULES, name), path.join(modules, name));
    }
    mkdirSync(path.join(modules, '.bin'));
    symlinkSync('../smista/bin/smista.js', path.join(modules, '.bin/smista'));
  }, 120_000);
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  const inEmpty = (command: string, args: string[]): string => {
    const { PATH = '', HOME = '' } = process.env;
    const env = { PATH: `${path.dirname(process.execPath)}:${PATH}`, HOME, ENV_FILE: '/dev/null' };
    return execFileSync(command, args, { cwd: path.join(directory, 'empty'), env, encoding: 'utf8' });
  };

  it('runs the demo to its end, from JavaScript alone', () => {
    const said = inEmpty('npx', ['--no-install', 'smista', 'demo', '--output', path.join(directory, 'output')]);
    const sources = readdirSync(installed, { recursive: true, encoding: 'utf8' }).filter((file) =>
      /(?<!\.d)\.ts$/.test(file),
    );

    expect(said).toContain('The shop gets the tracking number; a repeat writes nothing');
    expect(readFileSync(path.join(directory, 'output/label.pdf')).subarray(0, 5).toString()).toBe('%PDF-');
    expect(sources).toEqual([]);
  });

  it('has no file of a test but the conformance suite, and says whose dependencies it needs', () => {
    const manifest = JSON.parse(readFileSync(path.join(installed, 'package.json'), 'utf8'));
    const tests = readdirSync(path.join(installed, 'test'), { recursive: true, encoding: 'utf8' });

    expect(tests.filter((file) => /\.test\./.test(file))).toEqual([]);
    expect(manifest).not.toHaveProperty('devDependencies');
    expect(manifest).not.toHaveProperty('workspaces');
    expect(manifest.bundleDependencies).toEqual(['smista-sandbox']);
  });

  it('gives external adapters the interface with types', async () => {
    const empty = path.join(directory, 'empty');
    const source = path.join(empty, 'adapter.mts');
    writeFileSync(
      source,
      `import { type CarrierSpec, defineCarrier } from 'smista/adapter';
import type { CarrierSamples } from 'smista/conformance';
export const id: CarrierSpec<unknown>['id'] = 'acme-it';
// @ts-expect-error: a draft has no such field
export const colour = (samples: CarrierSamples): string => samples.draft.colour;
// @ts-expect-error: a carrier has more than an id
console.log(defineCarrier({ id }).id);
`,
    );
    writeFileSync(
      path.join(empty, 'tsconfig.json'),
      JSON.stringify({ extends: path.join(ROOT, 'tsconfig.json'), include: ['adapter.mts'] }),
    );

    await runIn(empty, 'tsc', ...TSC_ARGS, 'tsconfig.json');

    expect(inEmpty(process.execPath, [source])).toBe('acme-it\n');
  });
});
