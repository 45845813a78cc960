import express, { type Express, Router } from 'express';
import type { Registry } from 'prom-client';
import type { Log } from '../lib/log.ts';
import { requestId } from './http/gate.ts';
import { notReady, problemHandler } from './http/problem.ts';

export interface HealthOptions {
  /** Throws an error that names the reason while the process cannot work. */
  checkReady: () => Promise<void>;
  registry: Registry;
}

/** Serves `/health/live`, `/health/ready` and `/metrics`, which ask for no key. */
export function healthRouter({ checkReady, registry }: HealthOptions): Router {
  const router = Router();
  router.get('/health/live', (_request, response) => void response.json({ status: 'ok' }));
  router.get('/health/ready', (_request, response, next) => {
    checkReady().then(
      () => response.json({ status: 'ready' }),
      (error) => next(notReady(error instanceof Error ? error.message : 'Not ready')),
    );
  });
  router.get('/metrics', (_request, response, next) => {
    registry.metrics().then((text) => response.type(registry.contentType).send(text), next);
  });
  return router;
}

/** Builds the app of a port that has nothing else, for processes of any role. */
export function createHealth({ log, ...options }: HealthOptions & { log: Log }): Express {
  const app = express();
  app.disable('x-powered-by');
  app.use(requestId);
  app.use(healthRouter(options));
  app.use((_request, response) => void response.status(404).end());
  app.use(problemHandler(log, () => undefined));
  return app;
}
