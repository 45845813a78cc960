import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from './run-command.ts';

describe('npm run release', () => {
  let checkout: string;

  // A repository of its own, since a release commits and tags.
  beforeAll(() => {
    checkout = mkdtempSync(path.join(tmpdir(), 'smista-release-'));
    const files = ['package.json', 'package-lock.json', 'CHANGELOG.md', '.gitignore', 'scripts', 'sandbox'];
    execFileSync('cp', ['-R', ...files, checkout], { cwd: ROOT });
    symlinkSync(path.join(ROOT, 'node_modules'), path.join(checkout, 'node_modules'));
    appendFileSync(path.join(checkout, '.gitignore'), 'node_modules\n');
    git('init', '--quiet');
    git('config', 'user.name', 'A');
    git('config', 'user.email', 'a@example.com');
    git('add', '.');
    git('commit', '--quiet', '--message', 'feat: all of it');
  });
  afterAll(() => rmSync(checkout, { recursive: true, force: true }));

  const git = (...args: string[]): string => execFileSync('git', args, { cwd: checkout, encoding: 'utf8' }).trim();
  const release = (...args: string[]) => {
    const said = spawnSync(process.execPath, ['scripts/release.ts', ...args], { cwd: checkout, encoding: 'utf8' });
    return { code: said.status, stdout: said.stdout, stderr: said.stderr };
  };
  const versionOf = (file: string): string => JSON.parse(readFileSync(path.join(checkout, file), 'utf8')).version;

  it('says what it would do, and changes nothing', () => {
    const { code, stdout } = release('7.0.0');

    expect(code).toBe(0);
    expect(stdout).toMatch(
      /-> 7\.0\.0[\s\S]*would set the version[\s\S]*would commit and tag v7\.0\.0[\s\S]*Nothing was changed/,
    );
    expect(git('status', '--porcelain')).toBe('');
    expect(git('tag')).toBe('');
  });

  it('refuses a version that is not newer, and a tree with changes', () => {
    writeFileSync(path.join(checkout, 'note.txt'), '');
    const { code, stderr } = release('0.0.1');
    rmSync(path.join(checkout, 'note.txt'));

    expect(code).toBe(2);
    expect(stderr).toMatch(/name a version above[\s\S]*not committed/);
  });

  it('sets the version everywhere, keeps the notes, and tags, before the tarball is built', () => {
    // The sources are not here: the build, which the test of the package covers, is where this release stops.
    release('7.0.0', '--yes');

    expect(['package.json', 'package-lock.json', 'sandbox/package.json'].map(versionOf)).toEqual(
      Array(3).fill('7.0.0'),
    );
    const { packages } = JSON.parse(readFileSync(path.join(checkout, 'package-lock.json'), 'utf8'));
    expect([packages[''].version, packages.sandbox.version]).toEqual(['7.0.0', '7.0.0']);
    expect(readFileSync(path.join(checkout, 'CHANGELOG.md'), 'utf8')).toMatch(
      /## Unreleased\n\n## 7\.0\.0 \(\d{4}-\d\d-\d\d\)\n\n- /,
    );
    expect(git('tag')).toBe('v7.0.0');
    expect(git('log', '-1', '--format=%s')).toBe('release: 7.0.0');
    expect(git('status', '--porcelain')).toBe('');
  });
});
