import { describe, expect, it } from 'vitest';
import { handleOf } from '../world.ts';
import { creating, finding } from './replies.ts';
import { A_MOMENT_HOURS, inpostWorld } from './world.ts';

const { control, caller: inpost, newDraft, find, booked } = inpostWorld();

describe('a bad day of the pretend InPost', () => {
  it.each(['accept-then-500', 'malformed', 'wrong-encoding', 'truncated', 'html', 'empty'] as const)(
    'with %s sells one label, which is found instead of sold again',
    async (fault) => {
      const draft = newDraft();
      await control.fault('createShipment', fault);

      const failure = await inpost.fail(creating(draft));
      await control.advance(A_MOMENT_HOURS);
      const found = await find(draft);

      expect(failure.kind).toBe('unknown-outcome');
      expect(failure.code).not.toBe('being-made');
      expect(await control.ledger(draft.reference)).toMatchObject({
        labelsSold: 1,
        liveNumbers: [found?.trackingNumber],
      });
    },
  );

  it.each([
    ['status-500', 'unknown-outcome'],
    ['reset', 'unknown-outcome'],
    ['status-503', 'retryable'],
    ['status-429', 'retryable'],
  ] as const)('with %s sells nothing, and the look-up says so', async (fault, kind) => {
    const draft = newDraft();
    await control.fault('createShipment', fault);

    expect(await inpost.fail(creating(draft))).toMatchObject({ kind });
    expect(await find(draft)).toBeNull();
    expect(await control.ledger(draft.reference)).toBeUndefined();
  });

  it.each(['status-500', 'html', 'empty', 'malformed', 'wrong-encoding'] as const)(
    'with %s from the list proves no absence',
    async (fault) => {
      await control.fault('listShipments', fault);

      expect(await inpost.fail(finding(newDraft()))).toMatchObject({ kind: 'retryable' });
    },
  );

  it.each(['status-500', 'status-429', 'malformed', 'truncated', 'html', 'empty'] as const)(
    'with %s instead of the label keeps the shipment, and the label comes later',
    async (fault) => {
      const draft = newDraft();
      await control.fault('label', fault);

      const found = await booked(draft);
      const labels = await inpost.call(async (carrier, context) =>
        carrier.fetchLabels?.(context, draft, handleOf(draft, found)),
      );

      expect(found.labels).toEqual([]);
      expect(labels).toHaveLength(1);
    },
  );

  it('with accept-twice sells two labels: InPost takes back nothing confirmed, so the second is told', async () => {
    const draft = newDraft();
    await control.fault('createShipment', 'accept-twice');

    const found = await booked(draft);

    expect(found).toMatchObject({ parcelCount: 2 });
    expect(await control.ledger(draft.reference)).toMatchObject({ labelsSold: 2, cancelled: 0 });
  });
});
