import { execFile } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import openapiTS, { astToString } from 'openapi-typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../support/test-app.ts';

const run = promisify(execFile);

const TSCONFIG = {
  compilerOptions: {
    target: 'es2024',
    lib: ['es2024', 'dom'],
    module: 'nodenext',
    types: ['node'],
    strict: true,
    noEmit: true,
    skipLibCheck: false,
    allowImportingTsExtensions: true,
  },
};

describe('a client that is generated from the document', { timeout: 120_000 }, () => {
  let test: TestApp;
  let directory: string;

  beforeAll(async () => {
    test = await startTestApp();
    directory = mkdtempSync(path.join(tmpdir(), 'smista-client-'));
    symlinkSync(path.resolve('node_modules'), path.join(directory, 'node_modules'));
    writeFileSync(path.join(directory, 'package.json'), '{ "type": "module" }');
    writeFileSync(path.join(directory, 'tsconfig.json'), JSON.stringify(TSCONFIG));
    copyFileSync(path.join(import.meta.dirname, 'story.ts'), path.join(directory, 'story.ts'));
    const document = await (await fetch(`${test.app.url}/openapi.json`)).text();
    writeFileSync(path.join(directory, 'api.ts'), astToString(await openapiTS(document)));
  });
  afterAll(async () => {
    rmSync(directory, { recursive: true, force: true });
    await test.stop();
  });

  it('compiles under strict', async () => {
    const compiled = await run(path.resolve('node_modules/.bin/tsc'), ['-p', directory]).catch(
      (error: { stdout: string }) => error,
    );

    expect(compiled.stdout).toBe('');
  });

  it("creates an order, ships it, waits, reads it and has its label, as the README's commands do", async () => {
    const { stdout } = await run(process.execPath, [path.join(directory, 'story.ts'), test.app.url, test.demo.apiKey]);

    expect(JSON.parse(stdout)).toEqual({
      total: 1,
      status: 'shipment_created',
      trackingNumber: expect.stringMatching(/^YA\d+$/),
      begin: '%PDF-',
    });
  });
});
