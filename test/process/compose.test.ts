import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readConfig } from '../../src/config.ts';

interface Service {
  environment?: Record<string, string>;
  secrets?: string[];
  ports?: string[];
  volumes?: string[];
  [key: string]: unknown;
}

const compose = parse(readFileSync('docker-compose.yml', 'utf8'), { merge: true }) as {
  services: Record<string, Service>;
  secrets: Record<string, { file: string }>;
};
const services = Object.entries(compose.services);
const readme = readFileSync('README.md', 'utf8');

describe('docker-compose.yml', () => {
  let directory: string;
  beforeAll(() => {
    directory = mkdtempSync(path.join(tmpdir(), 'smista-compose-'));
    const [makeSecrets = ''] = /^mkdir -m 700 secrets\n(?:.+ > secrets\/\w+\n)+/m.exec(readme) ?? [];
    execFileSync('sh', ['-ec', makeSecrets], { cwd: directory });
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  it.each(services)('lets %s gain no rights, write only where it must, and take bounded memory', (_name, service) => {
    expect(service).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      tmpfs: expect.arrayContaining(['/tmp']),
      mem_limit: expect.stringMatching(/^\d+[mg]$/),
    });
    expect(service.cap_add).toBeUndefined();
  });

  it('publishes the api on this machine only', () => {
    const published = services.flatMap(([name, { ports = [] }]) => ports.map((port) => `${name} ${port}`));

    // biome-ignore lint/suspicious/noTemplateCurlyInString: as Compose writes it
    expect(published).toEqual(['api ${HTTP_ADDRESS:-127.0.0.1}:${HTTP_PORT:-3000}:3000']);
  });

  it('gives each service the secrets that it needs, as files', () => {
    const own = ['database_url', 'secret_key'];

    expect(Object.fromEntries(services.map(([name, { secrets = [] }]) => [name, secrets]))).toEqual({
      postgres: ['postgres_password'],
      redis: [],
      migrate: own,
      api: [...own, 'admin_password'],
      worker: own,
      scheduler: own,
    });
    for (const [, { environment = {}, secrets = [] }] of services) {
      const files = Object.entries(environment).filter(([name]) => name.endsWith('_FILE'));
      expect(files.map(([, file]) => path.basename(file)).toSorted()).toEqual([...secrets].toSorted());
    }
  });

  it.each(['migrate', 'api', 'worker', 'scheduler'])('starts %s with the secrets that the README makes', (name) => {
    const given = Object.entries(compose.services[name]?.environment ?? {}).map(([setting, value]) => {
      const secret = compose.secrets[path.basename(String(value))];
      return [setting, secret ? path.join(directory, secret.file) : String(value)];
    });
    const config = readConfig(Object.fromEntries(given));
    const password = readFileSync(path.join(directory, 'secrets/postgres_password'), 'utf8').trim();

    expect(config.databaseUrl).toBe(`postgres://smista:${password}@postgres:5432/smista`);
    expect(config.secretKeys).toHaveLength(1);
    expect(config.admin.password).toEqual(name === 'api' ? expect.stringMatching(/^\S{24}$/) : undefined);
  });
});
