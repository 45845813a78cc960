import express from 'express';
import { expect, it } from 'vitest';
import { problemHandler } from '../../src/api/http/problem.ts';
import { silentLog } from '../../src/lib/log.ts';

it.each(['Connection terminated unexpectedly', 'Client has encountered a connection error and is not queryable'])(
  'answers "try again" when the driver says "%s"',
  async (words) => {
    const app = express();
    app.use(() => {
      throw new Error('the query failed', { cause: new Error(words) });
    });
    app.use(problemHandler(silentLog, () => undefined));
    const server = app.listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as { port: number };

    const answer = await fetch(`http://127.0.0.1:${port}/`);

    expect(answer.status).toBe(503);
    server.close();
  },
);
