import { type NextFunction, type Request, type Response, Router } from 'express';
import helmet from 'helmet';
import type { Log } from '../lib/log.ts';
import { type Bundle, CONSOLE_PATH, openBundle } from './console-bundle.ts';

const A_YEAR = 'public, max-age=31536000, immutable';

/**
 * Serves the console, which uses nothing but the public API. Its files are read or bundled at the first request.
 */
export function consoleRouter(log: Log): Router {
  const router = Router();
  let bundling: Promise<Bundle> | undefined;
  const bundle = (): Promise<Bundle> => {
    bundling ??= openBundle().catch((error: unknown) => {
      bundling = undefined;
      log.error({ err: error }, 'console not bundled');
      throw error;
    });
    return bundling;
  };
  router.use(
    helmet({
      contentSecurityPolicy: {
        useDefaults: false,
        directives: {
          'default-src': ["'none'"],
          'script-src': ["'self'"],
          'style-src': ["'self'"],
          'img-src': ["'self'", 'data:', 'blob:'],
          'connect-src': ["'self'"],
          'frame-src': ["'self'", 'blob:'],
          'worker-src': ["'self'"],
          'form-action': ["'self'"],
          'base-uri': ["'none'"],
          'frame-ancestors': ["'none'"],
        },
      },
      hsts: false,
    }),
  );
  const handle =
    (answer: (request: Request, response: Response) => Promise<void>) =>
    (request: Request, response: Response, next: NextFunction): void => {
      response.locals.route = CONSOLE_PATH;
      answer(request, response).catch(next);
    };
  router.get(
    '/assets/:name',
    handle(async (request, response) => {
      const asset = (await bundle()).assets.get(String(request.params.name));
      if (!asset)
        return void response.status(404).type('text').send('This file belongs to another version: load the page again');
      const isSmall = request.acceptsEncodings('br') === 'br';
      response.set({
        'Cache-Control': A_YEAR,
        Vary: 'Accept-Encoding',
        ...(isSmall ? { 'Content-Encoding': 'br' } : {}),
      });
      response.type(asset.type).send(isSmall ? asset.brotli : asset.plain);
    }),
  );
  router.get(
    '/{*screen}',
    handle(async (_request, response) => {
      const { page } = await bundle();
      response.set('Cache-Control', 'no-cache').type('html').send(page);
    }),
  );
  return router;
}
