import type { Reply } from './fake-server.ts';

const PAGE = '<html><body><h1>Accesso negato</h1></body></html>';
const HTML = { 'content-type': 'text/html' };
const JSON_TYPE = { 'content-type': 'application/json' };

const BODIES: readonly Pick<Reply, 'headers' | 'body'>[] = [
  { body: '' },
  { headers: JSON_TYPE, body: 'null' },
  { headers: JSON_TYPE, body: '{}' },
  { headers: HTML, body: PAGE },
];

/** Good answers of something between us and a partner: none of them is a yes. */
export const FOREIGN_YES: readonly Reply[] = [200, 201, 202, 204].flatMap((status) =>
  BODIES.filter(({ body }) => status !== 204 || body === '').map((reply): Reply => ({ status, ...reply })),
);

/** Its refusals: none of them settles an earlier try. */
export const FOREIGN_NO: readonly Reply[] = [400, 401, 403, 404, 405, 409, 410, 422].flatMap((status) =>
  BODIES.map((reply): Reply => ({ status, ...reply })),
);

/** Whatever an adapter asks after such an answer tells it nothing. */
export const BROKEN: Reply = { status: 500, body: 'broken' };
