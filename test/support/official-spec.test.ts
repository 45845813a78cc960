import { describe, expect, it } from 'vitest';
import { specOf } from './official-spec.ts';

const text = { type: 'string' };
const spec = specOf(
  {
    paths: {
      '/orders': {
        parameters: [{ in: 'header', name: 'X-Version', required: true, schema: text }],
        post: {
          parameters: [{ $ref: '#/components/parameters/page' }],
          requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Order' } } } },
          responses: { 200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Order' } } } } },
        },
      },
    },
    components: {
      parameters: { page: { in: 'query', name: 'page', schema: { type: 'integer' } } },
      schemas: {
        Order: {
          allOf: [{ $ref: '#/components/schemas/Named' }, { oneOf: [{ properties: { b: text } }] }],
          properties: {
            lines: { type: 'array', items: { properties: { sku: text } } },
            open: { type: 'object' },
            map: { properties: { known: text }, additionalProperties: text },
          },
        },
        Named: { required: ['name'], properties: { name: text } },
      },
    },
  },
  'orders.json',
);
const ORDER = { name: 'A', b: 'B', lines: [{ sku: 'S' }], open: { any: 1 }, map: { other: 'x' } };
const faultsOf = ({ query = 'page=2', headers = {}, body = ORDER, answer = ORDER }: Record<string, unknown>) =>
  spec.faultsOfCall('post', '/orders', {
    url: `http://partner.example/orders?${query}`,
    headers: { 'x-version': '1', 'content-type': 'application/json', ...(headers as object) },
    requestBody: JSON.stringify(body),
    status: 200,
    responseBody: JSON.stringify(answer),
  });

describe('the check against official descriptions', () => {
  it('finds nothing wrong with a call that keeps to them', () => {
    expect(faultsOf({})).toEqual([]);
  });

  it.each([
    ['a body field', { body: { ...ORDER, nmae: 'A' } }, '/nmae is not known'],
    ['a body field in a list', { body: { ...ORDER, lines: [{ sku: 'S', skuu: 'S' }] } }, '/lines/0/skuu is not known'],
    ['a query', { query: 'page=2&pgae=3' }, '/pgae is not known'],
    ['a header', { headers: { 'x-vresion': '1' } }, 'header x-vresion is not known'],
    ['a field of an answer', { answer: { ...ORDER, extra: 1 } }, '/extra is not known'],
  ])('reports %s that no description knows', (_what, call, fault) => {
    expect(faultsOf(call)).toEqual([fault]);
  });

  it('reports a required header that is missing, and a value of another type', () => {
    expect(spec.faultsOfHeaders('post', '/orders', { host: 'partner.example' })).toEqual([
      'header x-version is missing',
    ]);
    expect(faultsOf({ body: { ...ORDER, name: 7 } })).toEqual(['/name must be string']);
  });
});
