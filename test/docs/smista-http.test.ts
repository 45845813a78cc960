import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROUTES } from '../../src/api/routes/index.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';

describe('the examples', () => {
  let test: TestApp;

  beforeAll(async () => {
    test = await startTestApp({ queues: null });
  });
  afterAll(() => test.stop());

  it('have example orders that are accepted', async () => {
    const files = globSync('examples/orders/*.json');
    for (const file of files) {
      const answer = await test.call('POST', '/orders', JSON.parse(readFileSync(file, 'utf8')));
      expect(answer.status, `${file}: ${JSON.stringify(answer.body)}`).toBe(201);
      expect(answer.headers.get('x-ignored-fields'), file).toBeNull();
    }

    expect(files.length).toBeGreaterThanOrEqual(4);
  });

  it('have an .http file whose every request is understood, and every endpoint of the contract in it', async () => {
    const text = readFileSync('examples/smista.http', 'utf8');
    const variables = new Map(
      [...text.matchAll(/^@(\w+) = (.*)$/gm)].map(([, name = '', value = '']) => [name, value]),
    );
    variables.set('host', test.app.url).set('sandbox', test.demo.sandboxUrl).set('key', test.demo.apiKey);
    const filled = (part: string): string =>
      part.replaceAll(/\{\{([^}]+)\}\}/g, (_all, name: string) => {
        const [, request = '', place = ''] = /^(\w+)\.response\.body\.\$(.*)$/.exec(name) ?? [];
        if (request === '') return filled(variables.get(name) ?? `unknown ${name}`);
        const steps = place.match(/\w+/g) ?? [];
        return String(
          steps.reduce<unknown>((value, step) => (value as Record<string, unknown>)?.[step], answers.get(request)),
        );
      });
    const requests = text.split(/^###.*$/m).flatMap((part) => {
      const name = /^# @name (\w+)$/m.exec(part)?.[1];
      const match = /^(GET|POST|PUT|PATCH|DELETE) (\S+)\n((?:[\w-]+: .*\n)*)(?:\n([\s\S]*))?/m.exec(part.trimStart());
      return match
        ? [{ name, method: match[1] ?? '', url: match[2] ?? '', headers: match[3] ?? '', body: match[4] ?? '' }]
        : [];
    });
    /** Answers of the requests that have a name, for `{{name.response.body.$.path}}`. */
    const answers = new Map<string, unknown>();
    const missing = new Set(ROUTES.map((route) => `${route.method} ${route.path}`));
    for (const request of requests) {
      const url = filled(request.url);
      const fromFile = /^< (\S+)/.exec(request.body.trim())?.[1];
      const body = fromFile ? readFileSync(path.join('examples', fromFile), 'utf8') : filled(request.body).trim();
      const headers = Object.fromEntries(
        filled(request.headers)
          .trim()
          .split('\n')
          .filter(Boolean)
          .map((line) => line.split(/: (.*)/).slice(0, 2)),
      ) as Record<string, string>;
      const answer = await fetch(url, { method: request.method, headers, ...(body ? { body } : {}) });
      const said = await answer.text();
      if (request.name !== undefined) {
        expect(answer.ok, `${request.method} ${url}: ${said}`).toBe(true);
        answers.set(request.name, JSON.parse(said));
      }
      // 404, 409 and 422 are answers of the story's state; a request that is not understood is 400, 401 or 415.
      expect([400, 401, 405, 415, 500], `${request.method} ${url}: ${said}`).not.toContain(answer.status);
      const route = ROUTES.find((one) => {
        const pattern = new RegExp(`^/api/v1/external${one.path.replaceAll(/\{\w+\}/g, '\\d+')}$`);
        return one.method === request.method.toLowerCase() && pattern.test(new URL(url).pathname);
      });
      if (route) missing.delete(`${route.method} ${route.path}`);
    }

    expect([...missing]).toEqual([]);
  });
});
