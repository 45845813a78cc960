import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../support/test-app.ts';
let test: TestApp;
beforeAll(async () => { test = await startTestApp({ queues: ['carrier-gls-it'] }); });
afterAll(() => test.stop());
it('first look', async () => {
  const { status, body } = await test.call('GET', '/overview');
  console.log(status, JSON.stringify(body, null, 1));
  expect(status).toBe(200);
});
