import { describe, expect, it } from 'vitest';
import { type ApiAnswer, answerFaults } from './api-document.ts';

const created: ApiAnswer = {
  method: 'POST',
  path: '/bordero?x=1',
  status: 201,
  contentType: 'application/json; charset=utf-8',
  body: { manifestId: 1, manifestNumber: 'B-1', manifestCode: 'B-1', totalShipments: 2, manifests: [] },
};

describe('an answer is compared with the document', () => {
  it('passes when it is what the document says', () => {
    expect(answerFaults(created)).toEqual([]);
    expect(answerFaults({ ...created, path: '/nothing/here', status: 404 })).toEqual([]);
  });

  it.each<[string, Partial<ApiAnswer>, string]>([
    ['a field the document lacks', { body: { ...(created.body as object), colour: 'red' } }, 'additional properties'],
    ['a missing field', { body: { manifestId: 1 } }, "required property 'manifestNumber'"],
    ['a field of another type', { body: { ...(created.body as object), manifestId: '1' } }, '/manifestId'],
    ['a status the document lacks', { status: 418 }, 'answered 418'],
    ['another content type', { contentType: 'text/html' }, 'with text/html'],
    [
      'a file instead of JSON',
      { path: '/orders/7', method: 'GET', status: 200, contentType: 'application/pdf' },
      'application/pdf',
    ],
    [
      'a problem with an extra field',
      { status: 401, contentType: 'application/problem+json', body: { hint: '' } },
      'additional properties',
    ],
  ])('fails for %s', (_name, change, fault) => {
    expect(answerFaults({ ...created, ...change }).join('\n')).toContain(fault);
  });
});
