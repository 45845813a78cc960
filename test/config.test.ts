import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../src/config.ts';

const BUCKET = {
  DOCUMENTS_S3_URL: 'https://s3.example.com/labels/',
  DOCUMENTS_S3_KEY: 'key',
  DOCUMENTS_S3_SECRET: 'hush',
};

describe('the settings of the bucket', () => {
  it('are none unless they are given', () => {
    expect(readConfig({}).documentBucket).toBeNull();
  });

  it('have a region, and an address without a slash at the end', () => {
    expect(readConfig(BUCKET).documentBucket).toEqual({
      url: 'https://s3.example.com/labels',
      region: 'us-east-1',
      key: 'key',
      secret: 'hush',
    });
  });

  it('are given whole, and what is missing is named without what is there', () => {
    const { DOCUMENTS_S3_SECRET } = BUCKET;
    const read = () => readConfig({ DOCUMENTS_S3_SECRET, DOCUMENT_DAYS: '61' });

    expect(read).toThrow(/DOCUMENT_DAYS: must be from 62 to 3650/);
    expect(() => readConfig({ DOCUMENTS_S3_SECRET })).toThrow(
      /DOCUMENTS_S3_URL: must be set, since DOCUMENTS_S3_SECRET is\n {2}DOCUMENTS_S3_KEY: must be set/,
    );
    expect(() => readConfig({ DOCUMENTS_S3_SECRET })).not.toThrow(/hush/);
  });
});

describe('the settings of the identity provider', () => {
  const OIDC = { OIDC_ISSUER: 'https://id.example.com', OIDC_CLIENT_ID: 'smista', OIDC_CLIENT_SECRET: 'hush' };

  it('are given whole, with an issuer that is https, or http on this machine', () => {
    expect(readConfig({}).identityProvider).toBeNull();
    expect(readConfig(OIDC).identityProvider).toEqual({
      issuer: 'https://id.example.com',
      clientId: 'smista',
      clientSecret: 'hush',
    });
    expect(readConfig({ ...OIDC, OIDC_ISSUER: 'http://127.0.0.1:9' }).identityProvider).not.toBeNull();
    expect(() => readConfig({ ...OIDC, OIDC_ISSUER: 'http://id.example.com' })).toThrow('OIDC_ISSUER: must be https');
    expect(() => readConfig({ ...OIDC, OIDC_ISSUER: 'id' })).toThrow('OIDC_ISSUER: must be a URL');
    expect(() => readConfig({ ...OIDC, OIDC_CLIENT_ID: '' })).toThrow('OIDC_CLIENT_ID: must be set');
  });
});

describe('a secret in a file', () => {
  let directory: string;
  beforeAll(() => {
    directory = mkdtempSync(path.join(tmpdir(), 'smista-secrets-'));
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  function file(name: string, text: string): string {
    const where = path.join(directory, name);
    writeFileSync(where, text);
    return where;
  }

  it('is read without its last line break', () => {
    const config = readConfig({
      DATABASE_URL_FILE: file('database', 'postgres://a:b@db/smista\n'),
      REDIS_URL_FILE: file('redis', 'redis://cache\r\n'),
      SECRET_KEY_FILE: file('key', Buffer.alloc(32, 7).toString('base64')),
      ADMIN_PASSWORD_FILE: file('password', ' two  spaces \n\n'),
      DOCUMENTS_S3_URL: 'https://s3.example.com/labels',
      DOCUMENTS_S3_KEY_FILE: file('access', 'AKIA\n'),
      DOCUMENTS_S3_SECRET_FILE: file('secret', 'hush\n'),
      SMISTA_TOKEN_FILE: file('token', 'smista_token\n'),
    });

    expect(config).toMatchObject({
      databaseUrl: 'postgres://a:b@db/smista',
      redisUrl: 'redis://cache',
      secretKeys: [Buffer.alloc(32, 7).toString('base64')],
      admin: { password: ' two  spaces \n' },
      documentBucket: { key: 'AKIA', secret: 'hush' },
      token: 'smista_token',
    });
  });

  it('is refused when it is given twice, missing or empty, and named without its content', () => {
    const twice = { REDIS_URL: 'redis://private', REDIS_URL_FILE: file('twice', 'redis://private') };
    const missing = { SECRET_KEY_FILE: path.join(directory, 'none') };
    const empty = { ADMIN_PASSWORD_FILE: file('empty', '\n') };
    const read = () => readConfig({ ...twice, ...missing, ...empty });

    expect(read).toThrow(
      [
        'Invalid settings in the environment:',
        '  REDIS_URL: set it or REDIS_URL_FILE, not both',
        `  SECRET_KEY_FILE: cannot read ${path.join(directory, 'none')} (ENOENT)`,
        `  ADMIN_PASSWORD_FILE: ${path.join(directory, 'empty')} is empty`,
      ].join('\n'),
    );
    expect(read).not.toThrow(/private/);
  });

  it('is checked like the setting itself', () => {
    const read = () => readConfig({ SECRET_KEY_FILE: file('short', 'hush') });

    expect(read).toThrow(/SECRET_KEY: must be 32 bytes/);
    expect(read).not.toThrow(/hush/);
  });
});
