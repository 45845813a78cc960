/**
 * The README's story, told by a client that was generated from the document: `node story.ts BASE_URL KEY`. The test puts `api.ts`
 * beside it, compiles both, and runs them; it is no part of the project's own compilation.
 */
import createClient from 'openapi-fetch';
import type { paths } from './api.ts';

const [baseUrl = '', key = ''] = process.argv.slice(2);
const api = createClient<paths>({ baseUrl, headers: { 'x-api-key': key } });

const { data: created, error: refused } = await api.POST('/api/v1/external/orders', {
  body: {
    customer: { full_name: 'Marta Colombini' },
    shipping: {
      full_name: 'Marta Colombini',
      address: 'Via Mazzini 48',
      city: 'Bologna',
      province: 'BO',
      zip: '40137',
      country_code: 'IT',
    },
    items: [{ sku: 'MUG-01', name: 'Tazza in ceramica', quantity: 2, price: 14.9 }],
  },
});
if (!created) throw new Error(refused.violations?.map(({ pointer }) => pointer).join() ?? refused.detail);
const orderId = created.order.id;

const { data: batch, response } = await api.POST('/api/v1/external/shipment/create', {
  params: { header: { Prefer: 'respond-async' } },
  body: [{ orderId }],
});
let operation = response.headers.get('location');
while (operation) {
  const id = Number(operation.split('/').at(-1));
  const { response: asked } = await api.GET('/api/v1/external/operations/{id}', { params: { path: { id } } });
  if (asked.status === 202) await new Promise((resolve) => setTimeout(resolve, 50));
  else operation = null;
}

const { data: order } = await api.GET('/api/v1/external/orders/{id}', { params: { path: { id: orderId } } });
const shipment = order?.shipments[0];
if (!shipment) throw new Error('The order has no shipment');
// @ts-expect-error the document knows the fields of a shipment: a wrong one does not compile
shipment.colour;

const { data: label } = await api.GET('/api/v1/external/shipment/{id}/label', {
  params: { path: { id: shipment.id }, query: { format: 'a6' } },
  parseAs: 'arrayBuffer',
});
const begin = new TextDecoder().decode(label?.slice(0, 5));
console.log(
  JSON.stringify({ total: batch?.total, status: order.order.status, trackingNumber: shipment.trackingNumber, begin }),
);
