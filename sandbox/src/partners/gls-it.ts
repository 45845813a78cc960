import { Router } from 'express';
import iconv from 'iconv-lite';
import type { SandboxPartner, SandboxWorld } from '../partner.ts';
import { Books } from './gls-it/books.ts';
import { ADDRESS_METHODS, LABEL_METHODS } from './gls-it/methods.ts';
import { trackingDocument } from './gls-it/tracking.ts';
import type { Fields } from './gls-it/xml.ts';

const LABEL_PATH = '/ilswebservice.asmx';
const ADDRESS_PATH = '/wscheckaddress.asmx';
const TRACKING_PATH = '/XML/get_xml_track.php';

/**
 * Creates a simulated GLS Italy: label service, address check and tracking under one address. Login: any depot and customer code,
 * a password that starts with "sandbox" (demo: YA, 999901, sandbox, contract 0001). GIACENZA, ASSENTE, PREAVVISO or RIFIUTA in an
 * address or note picks another journey. The postcode 00000, an unknown province or a locality with INESISTENTE makes a "GLS
 * Check".
 */
export function createGlsItSandbox(world: SandboxWorld): SandboxPartner {
  const books = new Books(world);
  const router = Router();

  for (const [path, methods] of [
    [LABEL_PATH, LABEL_METHODS],
    [ADDRESS_PATH, ADDRESS_METHODS],
  ] as const) {
    for (const [name, method] of Object.entries(methods)) {
      router.all(`${path}/${name}`, async (request, response) => {
        const query = new URL(request.url, 'http://sandbox').searchParams;
        const parameters = request.method === 'GET' ? query : new URLSearchParams(request.body);
        const xml = await method(books, Object.fromEntries(parameters));
        response.type('text/xml; charset=utf-8').send(`<?xml version="1.0" encoding="utf-8"?>\r\n${xml}`);
      });
    }
  }
  router.get(TRACKING_PATH, (request, response) => {
    const query: Fields = Object.fromEntries(new URL(request.url, 'http://sandbox').searchParams);
    const xml = `<?xml version="1.0" encoding="ISO-8859-1"?>\n${trackingDocument(books, query)}`;
    response.setHeader('Content-Type', 'text/xml');
    response.end(iconv.encode(xml, 'ISO-8859-1'));
  });

  return {
    id: 'gls-it',
    operationOf: ({ path }) => {
      if (path === TRACKING_PATH) return 'Tracking';
      const [, service = '', method = ''] = path.split('/');
      const methods =
        `/${service}` === LABEL_PATH ? LABEL_METHODS : `/${service}` === ADDRESS_PATH ? ADDRESS_METHODS : {};
      return Object.hasOwn(methods, method) ? method : null;
    },
    router,
    ledger: () => books.ledger(),
    save: () => books.save(),
    load: (state) => books.load(state),
  };
}
