import { describe, expect, it } from 'vitest';
import { brt } from '../../../src/carriers/brt/index.ts';
import { buildDraft } from '../../support/build-draft.ts';
import type { Reply } from '../../support/fake-server.ts';
import { against, bodyOf, confirmed, deleted, handle, json, message, notCreated } from './replies.ts';

describe('an answer of BRT with a code', () => {
  it.each([
    [-1, 'unknown-outcome', 'partner-broken', /general fault/],
    [-5, 'permanent', 'refused', /correct the field/],
    [-7, 'permanent', 'credentials-refused', /userID and password/],
    [-57, 'permanent', 'credentials-refused', /userID and password/],
    [-63, 'permanent', 'refused', /no route.*postcode/],
    [-64, 'permanent', 'refused', /ask the BRT depot/],
    [-65, 'unknown-outcome', 'partner-broken', /print the label/],
    [-67, 'permanent', 'credentials-refused', /senderCustomerCode/],
    [-68, 'permanent', 'refused', /contradict/],
    [-69, 'permanent', 'refused', /another pick-up point/],
    [-70, 'permanent', 'refused', /FRESH/],
    [-71, 'unknown-outcome', 'partner-broken', /QR/],
    [-99, 'unknown-outcome', 'answer-unreadable', /not known here/],
  ])('%i while creating is %s', (code, kind, failureCode, advice) =>
    against([notCreated(code)], async ({ fail }) => {
      const failure = await fail((one, context) => one.createShipment(context, buildDraft()));

      expect(failure).toMatchObject({ kind, code: failureCode });
      expect(failure.message).toContain(`BRT answered ${code} (SAYS BRT)`);
      expect(failure.message).toMatch(advice);
    }),
  );

  it.each([
    ['negative', '<p id="code">-5</p><p>Unrecognized field</p>', 'permanent', /Unrecognized field/],
    ['negative, without quotes', '<span class="x" id=code> -68 </span>', 'permanent', /contradict/],
    ['of the login', "<td id='code'>-7</td>", 'permanent', /password/],
    ['general', '<p id="code">-1</p>', 'unknown-outcome', /general fault/],
    ['a status', '<p id="code">500</p>', 'unknown-outcome', /answered 500/],
    ['missing', '<p>Error</p>', 'unknown-outcome', /answered 500/],
  ])('in a page of status 500, when the code is %s', (_what, page, kind, words) =>
    against(
      [{ status: 500, headers: { 'content-type': 'text/html' }, body: `<html>${page}</html>` }],
      async ({ fail }) => {
        const failure = await fail((one, context) => one.createShipment(context, buildDraft()));

        expect(failure.kind).toBe(kind);
        expect(failure.message).toMatch(words);
      },
    ),
  );

  it('is the worst of several', () =>
    against(
      [json({ createResponse: { executionMessage: [message(4), message(-63, 'NO ROUTE')] } })],
      async ({ fail }) => {
        const failure = await fail((one, context) => one.createShipment(context, buildDraft()));

        expect(failure).toMatchObject({ kind: 'permanent', code: 'refused' });
      },
    ));
});

describe('confirming with BRT', () => {
  const transmit = (replies: Reply[], shipments = [handle], more = {}) => {
    let outcome: unknown;
    return against(
      replies,
      async ({ call }) => {
        outcome = await call(async (one, context) => one.transmitShipments?.(context, shipments)).catch(
          (error) => error,
        );
      },
      more,
    ).then(() => outcome);
  };

  it('names the shipment by both references', () =>
    against([confirmed(message(0))], async ({ call }, server) => {
      await call(async (one, context) => one.transmitShipments?.(context, [handle]));

      expect(bodyOf(server).confirmData).toEqual({
        senderCustomerCode: 1020304,
        numericSenderReference: 167360000000146,
        alphanumericSenderReference: 'SM00000420000',
      });
    }));

  it('names one that a person brought by the numeric reference alone', () =>
    against([confirmed(message(0))], async ({ call }, server) => {
      const brought = { ...handle, carrierReference: brt.carrierReferenceOf?.(handle.trackingNumber) ?? 'none' };

      await call(async (one, context) => one.transmitShipments?.(context, [brought]));

      expect(bodyOf(server).confirmData).not.toHaveProperty('alphanumericSenderReference');
    }));

  it.each([
    ['done', [message(0)]],
    ['done with a warning', [message(4)]],
    ['in an array', [message(0), message(4)]],
    ['already done', [message(-102, 'ALREADY')]],
  ])('succeeds when it is %s', async (_what, messages) => {
    expect(await transmit([confirmed(...messages)])).toEqual([
      { reference: 'SM0000042', outcome: 'succeeded', message: '' },
    ]);
  });

  it.each([
    [-101, /does not let this shipment be confirmed/],
    [-151, /no such shipment, or it is older than 40 days/],
    [-154, /several shipments.*ask the depot/],
    [-5, /correct the field/],
  ])('tells what to do when BRT answers %i', async (code, words) => {
    expect(await transmit([confirmed(message(code))])).toMatchObject([
      { reference: 'SM0000042', outcome: 'failed', message: expect.stringMatching(words) },
    ]);
  });

  it('asks for each shipment and keeps them apart', () => {
    const others = ['SM0000043', 'SM0000044'].map((reference) => ({
      ...handle,
      reference,
      carrierReference: reference,
    }));
    const replies = [confirmed(message(0)), confirmed(message(0)), confirmed(message(0))];
    return against(replies, async ({ call }, server) => {
      const results = await call(async (one, context) => one.transmitShipments?.(context, [handle, ...others]));

      expect(results?.map(({ reference, outcome }) => [reference, outcome])).toEqual([
        ['SM0000042', 'succeeded'],
        ['SM0000043', 'succeeded'],
        ['SM0000044', 'succeeded'],
      ]);
      const sent = server.requests.map((_request, index) => bodyOf(server, index).confirmData?.numericSenderReference);
      expect(sent.toSorted()).toEqual([167360000000146, 167360000000147, 167360000000148]);
    });
  });

  it.each([
    ['BRT is still processing one', confirmed(message(-153)), 'unknown-outcome'],
    ['BRT has a general fault', confirmed(message(-1)), 'unknown-outcome'],
    ['the code is one of creating', confirmed(message(-68)), 'unknown-outcome'],
    ['the depot has the parcel already', confirmed(message(-152)), 'unknown-outcome'],
    ['the login is refused', confirmed(message(-7)), 'permanent'],
    ['BRT asks to slow down', { status: 429, headers: { 'retry-after': '3' } }, 'retryable'],
  ])('is tried again as a whole when %s', async (_what, reply, kind) => {
    expect(await transmit([reply])).toMatchObject({ kind });
  });

  it('asks nothing of an account that BRT confirms by itself', async () => {
    expect(await transmit([], [handle], { confirmation: 'automatic' })).toEqual([
      { reference: 'SM0000042', outcome: 'succeeded', message: '' },
    ]);
  });
});

describe('a no of BRT', () => {
  it.each([
    [-5, true],
    [-63, true],
    [-64, false],
    [-67, false],
    [-7, false],
  ])('%i to a create settles an earlier try: %s', (code, isAuthoritative) =>
    against([notCreated(code)], async ({ fail }) => {
      const failure = await fail((one, context) => one.createShipment(context, buildDraft()));

      expect(failure).toMatchObject({ kind: 'permanent', isAuthoritative });
    }),
  );

  it.each([-101, -102, -63])('is not heard in %i to a deletion, which says nothing of it', (code) =>
    against([deleted(code)], async ({ fail }) => {
      const failure = await fail(async (one, context) => one.cancelShipment?.(context, handle));

      expect(failure).toMatchObject({ kind: 'unknown-outcome', isAuthoritative: false });
    }),
  );

  it.each([-102, -151, -154])('is not heard in %i to a create', (code) =>
    against([notCreated(code)], async ({ fail }) => {
      const failure = await fail((one, context) => one.createShipment(context, buildDraft()));

      expect(failure).toMatchObject({ kind: 'unknown-outcome' });
    }),
  );
});

describe('a yes of BRT', () => {
  it.each([
    ['without a code', { ...message(0), code: null }],
    ['with an empty code', { ...message(0), code: '' }],
  ])('is not heard in a message %s', (_what, said) =>
    against([json({ deleteResponse: { executionMessage: said } })], async ({ fail }) => {
      const failure = await fail(async (one, context) => one.cancelShipment?.(context, handle));

      expect(failure).toMatchObject({ kind: 'unknown-outcome', code: 'answer-unreadable' });
    }),
  );

  it('is not heard with another status than 200', () =>
    against([{ ...deleted(0), status: 202 }], async ({ fail }) => {
      const failure = await fail(async (one, context) => one.cancelShipment?.(context, handle));

      expect(failure).toMatchObject({ kind: 'unknown-outcome' });
    }));
});

describe('deleting with BRT', () => {
  it.each([
    [-152, 'permanent', 'refused', /taken it in charge/],
    [-153, 'unknown-outcome', 'partner-broken', /still processing/],
    [-154, 'permanent', 'refused', /several shipments.*ask the depot/],
    [-155, 'unknown-outcome', 'partner-broken', /working on the record/],
  ])('does not take %i for done', (code, kind, failureCode, words) =>
    against([deleted(code, 'SAYS BRT')], async ({ fail }, server) => {
      const failure = await fail(async (one, context) => one.cancelShipment?.(context, handle));

      expect(failure).toMatchObject({ kind, code: failureCode });
      expect(failure.message).toMatch(words);
      expect(bodyOf(server).deleteData).toEqual({
        senderCustomerCode: 1020304,
        numericSenderReference: 167360000000146,
        alphanumericSenderReference: 'SM00000420000',
      });
    }),
  );
});
