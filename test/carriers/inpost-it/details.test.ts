import { describe, expect, it } from 'vitest';
import type { CarrierContext, ShipmentDraft } from '../../../src/carriers/adapter.ts';
import { inpostIt } from '../../../src/carriers/inpost-it/index.ts';
import { REFUSALS, VALIDATIONS } from '../../../src/carriers/inpost-it/refusals.ts';
import { buildParty } from '../../support/build-draft.ts';
import { against, creating, ID, json, listed, lockerDraft, NUMBER, refusal, sent, shipment } from './replies.ts';

const handle = { reference: 'SM0000042', trackingNumber: NUMBER, carrierReference: String(ID) };
const parcel = { weightGrams: 1000, lengthMm: 300, widthMm: 200, heightMm: 70 };
const check = (overrides: Partial<ShipmentDraft>, account: Record<string, unknown> = {}) =>
  inpostIt.check?.(lockerDraft(overrides), account);

describe('a draft that InPost takes', () => {
  it('is a parcel to a locker, with an accent in every name', () => {
    expect(check({ recipient: buildParty({ name: 'Niccolò Łukasz È' }) })).toEqual([]);
  });

  it.each<[string, Partial<ShipmentDraft>, RegExp]>([
    ['no pick-up point', { pickupPointId: null }, /choose a pick-up point/],
    ['no name', { recipient: buildParty({ name: ' ' }) }, /recipient needs a name/],
    ['no phone', { recipient: buildParty({ phone: '-' }) }, /phone number of the recipient/],
    ['no e-mail', { recipient: buildParty({ email: '' }) }, /e-mail address of the recipient/],
    ['two parcels', { parcels: [parcel, parcel] }, /one parcel per shipment/],
    ['no weight', { parcels: [{ ...parcel, weightGrams: 0 }] }, /Parcel 1 needs a weight/],
    ['26 kg', { parcels: [{ ...parcel, weightGrams: 26_000 }] }, /Parcel 1 is above the limit of 25 kg/],
    ['no measures', { parcels: [{ ...parcel, heightMm: 0 }] }, /length, width and height, or one of the sizes/],
    [
      'a long parcel',
      { parcels: [{ ...parcel, lengthMm: 641 }] },
      /641 x 200 x 70 mm.*largest locker, 640 x 410 x 380/,
    ],
    [
      'a size too small',
      { options: ['S'], parcels: [{ ...parcel, heightMm: 90 }] },
      /not fit into size S, 640 x 380 x 80/,
    ],
    ['two sizes', { options: ['M', 'L'] }, /Only one of the sizes/],
    ['an unknown option', { options: ['XL'] }, /no service "XL"/],
    ['insurance', { insuredCents: 4990 }, /Insurance with InPost/],
    ['COD of nothing', { cod: { amountCents: 0, paymentType: '' } }, /must be above zero/],
    ['COD in francs', { cod: { amountCents: 100, paymentType: '' }, currency: 'CHF' }, /in EUR/],
    ['A5', { labelFormat: 'pdf-a5' }, /not in A5/],
    ['a reference with a dash', { reference: 'SM-1' }, /reference must be letters/],
  ])('is not %s', (_what, overrides, problem) => {
    expect(check(overrides)).toEqual([expect.stringMatching(problem)]);
  });

  it('is fetched only at an address with a house number', () => {
    const sender = buildParty({ address: 'Piazza Grande' });

    expect(check({ sender })).toEqual([]);
    expect(check({ sender }, { sendingMethod: 'dispatch_order' })).toEqual([expect.stringMatching(/house number/)]);
  });

  it.each<[number[], string[], string | undefined, string]>([
    [[640, 80, 380], [], undefined, 'small'],
    [[380, 640, 81], [], 'S', 'medium'],
    [[380, 410, 640], [], undefined, 'large'],
    [[100, 100, 100], ['L'], 'S', 'large'],
    [[0, 0, 0], ['M'], 'S', 'medium'],
    [[300, 200, 0], [], 'S', 'small'],
  ])('goes by its sides %j, options %j and the size %s of the account as %s', (sides, options, defaultSize, template) =>
    against(
      [refusal(400, 'validation_failed')],
      async ({ fail }, server) => {
        const [lengthMm = 0, widthMm = 0, heightMm = 0] = sides;
        const parcels = [{ weightGrams: 900, lengthMm, widthMm, heightMm }];

        await fail(creating(lockerDraft({ parcels, options })));

        expect(sent(server).parcels).toEqual({ template });
        expect(check({ parcels, options }, { defaultSize })).toEqual([]);
      },
      defaultSize === undefined ? {} : { defaultSize },
    ),
  );
});

describe('a refusal of InPost', () => {
  const said = async (reply: ReturnType<typeof refusal>) => {
    let words = { message: '', code: '' };
    await against([reply], async ({ fail }) => {
      const { message, code } = await fail(creating(lockerDraft()));
      words = { message, code };
    });
    return words;
  };

  it.each(Object.entries(VALIDATIONS))('says of a field that is "%s" that it %s', async (key, words) => {
    const { message } = await said(refusal(400, 'validation_failed', { receiver: [{ phone: [key] }], service: [key] }));

    expect(message).toBe(
      `InPost refused: There are some errors; receiver.phone ${words} (${key}); service ${words} (${key})`,
    );
  });

  it('keeps an unknown key, at any depth', async () => {
    const details = { shipments: [{ A: { parcels: [{ '0': { weight: [{ amount: ['not_a_number'] }] } }] } }] };

    const { message } = await said(refusal(400, 'validation_failed', details));

    expect(message).toContain('shipments.A.parcels.0.weight.amount: not_a_number');
  });

  it('of the locker says to choose another', async () => {
    const { message } = await said(
      refusal(400, 'validation_failed', { custom_attributes: [{ target_point: ['does_not_exist'] }] }),
    );

    expect(message).toContain('target_point is not known to InPost: choose another locker or shop (does_not_exist)');
  });

  it.each(Object.entries(REFUSALS))('of the kind %s has a code and says what to do', async (error, meaning) => {
    const { message, code } = await said(refusal(400, error));

    expect(code).toBe(meaning.code);
    expect(message).toContain(meaning.advice);
  });

  it.each([
    ['without words', { status: 401, body: '' }],
    ['with words', refusal(403, 'forbidden', {}, 'Access denied')],
  ])('of the token %s says which fields to correct', async (_what, reply) => {
    const { message, code } = await said(reply);

    expect(code).toBe('credentials-refused');
    expect(message).toContain('organizationId and token');
  });

  it('that has a key and no words is told by its key', async () => {
    const { message } = await said(json({ status: 422, error: 'strange_thing' }, 422));

    expect(message).toBe('InPost refused: strange_thing');
  });
});

describe('cancelling with InPost', () => {
  const cancelling = async (carrier: typeof inpostIt, context: CarrierContext<unknown>) =>
    carrier.cancelShipment?.(context, handle);

  it('is refused once InPost has confirmed, and says what is left to do', () =>
    against(
      [
        refusal(
          400,
          'invalid_action',
          { action: 'cancel', shipment_status: 'confirmed' },
          'Action (cancel) can not be taken on shipment with status (confirmed). ',
        ),
      ],
      async ({ fail }) => {
        const failure = await fail(cancelling);

        expect(failure).toMatchObject({ kind: 'permanent', code: 'refused' });
        expect(failure.message).toContain('shipment_status: confirmed');
        expect(failure.message).toContain('takes back nothing that it has confirmed: leave the label unused');
      },
    ));

  it('is done when ShipX does not know the shipment, and not when something else is not found', () =>
    against(
      [refusal(404, 'resource_not_found'), { status: 404, body: 'nginx' }, refusal(404, 'route_not_found')],
      async ({ call, fail }) => {
        await call(cancelling);

        expect(await fail(cancelling)).toMatchObject({ kind: 'unknown-outcome' });
        expect(await fail(cancelling)).toMatchObject({ kind: 'permanent' });
      },
    ));

  it('looks up a label that a person brought by its number', () =>
    against(
      [listed([shipment({ id: 77 })]), { status: 204, to: 'DELETE /v1/shipments/77' }],
      async ({ call }, server) => {
        await call(async (carrier, context) =>
          carrier.cancelShipment?.(context, {
            ...handle,
            carrierReference: carrier.carrierReferenceOf?.(NUMBER) ?? NUMBER,
          }),
        );

        expect(server.requests[0]?.query.get('tracking_number')).toBe(NUMBER);
      },
    ));

  it('never calls a number of another organisation cancelled', () =>
    against([listed([shipment({ tracking_number: '1' })])], async ({ fail }) => {
      const failure = await fail(async (carrier, context) =>
        carrier.cancelShipment?.(context, { ...handle, carrierReference: '' }),
      );

      expect(failure).toMatchObject({ kind: 'permanent', code: 'not-found-at-partner' });
    }));
});
