import { startTestApp, type TestApp } from '../support/test-app.ts';
import { database } from '../usecases/engine.ts';
import { installDeaths } from './deaths.ts';
import { installGuard } from './guard.ts';

/** The product without a worker, since the commands are the worker, on a guarded database. */
export async function startModelApp(): Promise<TestApp> {
  const test = await startTestApp({ roles: ['api'] });
  await database(test).execute(`update contracts set label_format = 'zpl'`); // drawn faster than a PDF
  await installGuard(test);
  await installDeaths(test);
  return test;
}
