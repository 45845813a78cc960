import { Router } from 'express';
import { bodyOf, noRoute } from './answers.ts';
import { requireKey } from './auth.ts';
import type { ShopBooks, ShopKind } from './books.ts';
import { fulfillmentsRouter } from './fulfillments.ts';
import { ordersRouter } from './orders.ts';
import { renderOrder } from './render.ts';
import { sendProviders, trackingsRouter } from './trackings.ts';

const OFFICIAL = 'wc-shipment-tracking/v3';
const AST = 'wc-ast/v3';

/** Where each kind of shop serves trackings; AST answers under the official extension's name too. */
const TRACKING_ROOTS: Readonly<Record<ShopKind, readonly string[]>> = {
  core: [],
  tracking: [OFFICIAL, 'wc/v3', 'wc/v2', 'wc/v1'],
  ast: [AST, OFFICIAL],
  note: [],
};

/** Serves one WordPress site with WooCommerce. */
export function shopRouter(books: ShopBooks): Router {
  const api = Router();
  api.get('/', (_request, response) => {
    const plugins = TRACKING_ROOTS[books.kind].filter((root) => root === AST || root === OFFICIAL);
    const namespaces = ['oembed/1.0', 'wc/v1', 'wc/v2', 'wc/v3', ...plugins, 'wp/v2'];
    response.json({ name: 'Sandbox shop', description: '', namespaces, authentication: [], routes: {} });
  });
  for (const root of TRACKING_ROOTS[books.kind]) {
    api.get(`/${root}/orders/:id/shipment-trackings/providers`, sendProviders);
    api.use(`/${root}/orders/:id/shipment-trackings`, requireKey, trackingsRouter(books));
  }
  if (books.kind === 'core') api.use('/wc/v3/orders/:id/fulfillments', requireKey, fulfillmentsRouter(books));
  api.use('/wc/v3/orders', requireKey, ordersRouter(books));
  api.use(noRoute);

  const shop = Router();
  shop.use('/wp-json', api);
  shop.post('/_seed/orders', (request, response) => {
    response.status(201).json(renderOrder(books.addOrder(bodyOf(request))));
  });
  shop.get('/_mails', (_request, response) => void response.json(books.state.mails));
  return shop;
}
