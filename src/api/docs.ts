import express, { type Router } from 'express';
// Importing the package itself would also evaluate its two bundles.
import absolutePath from 'swagger-ui-dist/absolute-path.js';
import { laterPickups } from './openapi/story.ts';

const PAGE = `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>smista API</title>
  <link rel="stylesheet" href="/docs/swagger-ui.css">
  <link rel="icon" href="/docs/favicon-32x32.png">
</head>
<body>
  <div id="swagger-ui"></div>
  <script src="/docs/swagger-ui-bundle.js"></script>
  <script src="/docs/start.js"></script>
</body>
</html>
`;

/** Swagger UI prints an inline PDF or ZPL as text; as an attachment it offers the file. */
const START = `SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#swagger-ui',
  deepLinking: true,
  tryItOutEnabled: true,
  persistAuthorization: false,
  responseInterceptor: (response) => {
    const { headers = {} } = response;
    if (/^application\\/(pdf|zpl)/.test(headers['content-type'])) {
      headers['content-disposition'] = headers['content-disposition'].replace('inline', 'attachment');
    }
    return response;
  },
});
`;

/** Returns both documents as JSON. Most processes are never asked for them, and they take a tenth of a second. */
async function buildDocuments(version: string): Promise<{ api: string; admin: string }> {
  const [{ openApiDocument }, { adminDocument }] = await Promise.all([
    import('./openapi/document.ts'),
    import('./openapi/admin-document.ts'),
  ]);
  return { api: JSON.stringify(openApiDocument(version)), admin: JSON.stringify(adminDocument(version)) };
}

/** Serves the API reference with local files only, so that it works without internet access. */
export function docsRouter(version: string, now: () => Date): Router {
  const router = express.Router();
  let building: ReturnType<typeof buildDocuments> | undefined;
  const documents = () => {
    building ??= buildDocuments(version);
    return building;
  };
  router.get('/openapi.json', async (_request, response) => {
    response.type('json').send(laterPickups((await documents()).api, now()));
  });
  router.get('/openapi-admin.json', async (_request, response) => {
    response.type('json').send((await documents()).admin);
  });
  router.get('/docs', (_request, response) => void response.type('html').send(PAGE));
  router.get('/docs/start.js', (_request, response) => void response.type('js').send(START));
  router.use('/docs', express.static(absolutePath(), { index: false, maxAge: '1h' }));
  return router;
}
