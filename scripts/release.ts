/** `npm run release -- 0.2.0`: says what a release would do. With `--yes` it does it: version, changelog, commit, tag, tarball. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

const UNRELEASED = '## Unreleased\n';
const TARBALLS = 'dist';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { yes: { type: 'boolean', default: false } },
});
const [version = ''] = positionals;
const current: string = JSON.parse(readFileSync('package.json', 'utf8')).version;
const changelog = readFileSync('CHANGELOG.md', 'utf8');
const notes = changelog.split(UNRELEASED)[1]?.split('\n## ')[0]?.trim() ?? '';

const faults = [
  ...(isNewer(version, current) ? [] : [`name a version above ${current}: npm run release -- X.Y.Z [--yes]`]),
  ...(notes === '' ? ['CHANGELOG.md has nothing under Unreleased'] : []),
  ...(git('status', '--porcelain') === '' ? [] : ['the working tree has changes that are not committed']),
  ...(git('tag', '--list', `v${version}`) === '' ? [] : [`the tag v${version} exists`]),
];
if (faults.length > 0) {
  for (const fault of faults) console.error(`release: ${fault}`);
  process.exit(2);
}

const date = new Date().toISOString().slice(0, 10);
console.log(`smista ${current} -> ${version}, ${date}\n\n${notes}\n`);
step(`set the version ${version} in package.json, sandbox/package.json and package-lock.json`, () => {
  const both = ['--workspace', 'sandbox', '--include-workspace-root'];
  npm('version', version, ...both, '--no-git-tag-version', '--no-workspaces-update');
  // npm updates a workspace's entry in the lock file only together with an install.
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  lock.packages.sandbox.version = version;
  writeFileSync('package-lock.json', `${JSON.stringify(lock, null, 2)}\n`);
});
step(`move the notes of CHANGELOG.md under ${version}`, () => {
  writeFileSync('CHANGELOG.md', changelog.replace(UNRELEASED, `${UNRELEASED}\n## ${version} (${date})\n`));
});
step(`commit and tag v${version}`, () => {
  git('commit', '--all', '--quiet', '--message', `release: ${version}`);
  git('tag', '--annotate', `v${version}`, '--message', `smista ${version}`);
});
step(`build the package and pack ${TARBALLS}/smista-${version}.tgz`, () => {
  npm('run', 'build');
  mkdirSync(TARBALLS, { recursive: true });
  npm('pack', './dist', '--pack-destination', TARBALLS);
});
console.log(values.yes ? `\nNothing was pushed: git push --follow-tags` : '\nNothing was changed: --yes does it.');

function step(what: string, act: () => void): void {
  console.log(`${values.yes ? '-' : 'would'} ${what}`);
  if (values.yes) act();
}

function git(...args: string[]): string {
  return execFileSync('git', args, { encoding: 'utf8' }).trim();
}

function npm(...args: string[]): void {
  execFileSync('npm', ['--silent', ...args], {
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
}

function isNewer(wanted: string, than: string): boolean {
  if (!/^\d+\.\d+\.\d+$/.test(wanted)) return false;
  const [next, last] = [wanted, than].map((text) => text.split('.').map(Number));
  const differs = next?.findIndex((part, at) => part !== last?.[at]) ?? -1;
  return differs >= 0 && (next?.[differs] ?? 0) > (last?.[differs] ?? 0);
}
