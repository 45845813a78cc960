import { describe, expect, it } from 'vitest';
import { buildDraft } from '../../support/build-draft.ts';
import { against, NUMBER, problem, tracked } from './replies.ts';

const draft = buildDraft();

describe('looking up with DHL Express', () => {
  const find = (caller: Parameters<Parameters<typeof against>[1]>[0]) =>
    caller.call(async (dhl, context) => dhl.findByReference?.(context, draft));

  it('asks by reference, account and a time frame, and says that the label is lost', () =>
    against([tracked({})], async (caller, server) => {
      const found = await find(caller);

      expect(Object.fromEntries(server.requests[0]?.query ?? [])).toMatchObject({
        shipmentReference: 'SM0000042',
        shipmentReferenceType: 'CU',
        shipperAccountNumber: '106000001',
        dateRangeFrom: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
        dateRangeTo: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      });
      expect(found).toMatchObject({ canBeTakenBack: false, labels: [], parcelCount: 1 });
      expect(found?.warnings).toEqual([expect.stringContaining(`DHL has shipment ${NUMBER}`)]);
    }));

  it('counts a second shipment of the same reference as parcels too many', () =>
    against([tracked({}, { shipmentTrackingNumber: '4210000002' })], async (caller) => {
      const found = await find(caller);

      expect(found).toMatchObject({ trackingNumber: NUMBER, parcelCount: 2 });
      expect(found?.warnings.join('\n')).toContain('DHL also has 4210000002 under this reference');
    }));

  it.each([
    ['another reference', [{ value: 'SM00000421', typeCode: 'CU' }]],
    ['no reference', []],
  ])('never adopts a shipment of %s', (_what, shipperReferences) =>
    against([tracked({ shipperReferences })], async (caller) => {
      expect(await find(caller)).toBeNull();
    }),
  );

  it.each([
    ['a shipment that cannot be read', tracked({ shipmentTrackingNumber: {} }), 'retryable'],
    ['a shipment whose references DHL does not show', tracked({ shipperReferences: null }), 'retryable'],
    ['a 404 that is not of the search', problem(404, 'No such path'), 'permanent'],
    ['a 404 without words', { status: 404, body: '{}' }, 'retryable'],
    ['a refused login', { status: 401, body: '' }, 'permanent'],
    ['an error of DHL', problem(500, '999: Process failure occurred.'), 'retryable'],
  ])('does not take %s for an absence', (_what, reply, kind) =>
    against([reply], async ({ fail }) => {
      expect(await fail(async (dhl, context) => dhl.findByReference?.(context, draft))).toMatchObject({ kind });
    }),
  );

  it.each(['https://express.api.dhl.com/mydhlapi/test', 'https://api-mock.dhl.com/mydhlapi'])(
    'leaves it to a person in %s, which cannot be searched',
    (baseUrl) =>
      against(
        [],
        async ({ fail, exchanges }) => {
          const failure = await fail(async (dhl, context) => dhl.findByReference?.(context, draft));

          expect(failure).toMatchObject({ kind: 'permanent', code: 'not-supported' });
          expect(exchanges).toEqual([]);
        },
        { baseUrl },
      ),
  );
});
