import { describe, expect, it } from 'vitest';
import { HELD_ACTIONS } from '../../src/domain/held-actions.ts';
import { heldStatusOf, heldStepOf, isConfirmedBy } from '../../src/domain/held-case.ts';
import { deadlineOf } from '../../src/domain/held-policy.ts';
import { HELD_REASONS } from '../../src/domain/held-reasons.ts';
import type { EventStatus } from '../../src/domain/tracking-status.ts';

describe('the deadline of a held parcel', () => {
  it.each([
    ['calendar days', '2026-11-20T15:00:00Z', { days: 10, of: 'calendar' }, '2026-11-29T23:00:00Z'],
    ['working days over two weekends', '2026-11-20T15:00:00Z', { days: 10, of: 'working' }, '2026-12-03T23:00:00Z'],
    ['working days from a Saturday', '2026-11-21T09:00:00Z', { days: 1, of: 'working' }, '2026-11-22T23:00:00Z'],
    [
      'the Italian day, not the one in Greenwich',
      '2026-11-20T23:30:00Z',
      { days: 1, of: 'calendar' },
      '2026-11-21T23:00:00Z',
    ],
    ['summer time', '2026-10-24T10:00:00Z', { days: 2, of: 'calendar' }, '2026-10-25T23:00:00Z'],
  ] as const)('counts %s', (_what, openedAt, term, deadline) => {
    expect(deadlineOf(new Date(openedAt), term)).toEqual(new Date(deadline));
  });

  it('is unknown where the term is', () => {
    expect(deadlineOf(new Date(), null)).toBeNull();
  });
});

describe('an event during a giacenza', () => {
  it.each([
    ['held', 'open'],
    ['in_transit', 'close'],
    ['out_for_delivery', 'close'],
    ['available_for_pickup', 'close'],
    ['returning', 'close'],
    ['delivered', 'close'],
    ['returned', 'close'],
    ['destroyed', 'close'],
    ['lost', 'close'],
    ['attempt_failed', null],
    ['exception', null],
    ['unrecognised', null],
  ] as const)('%s: %s', (status, step) => {
    expect(heldStepOf({ status })).toBe(step);
  });

  it('that announces one warns, whatever it says of the parcel; a delay ends none', () => {
    const announcesHeld = { inDays: null };

    expect(heldStepOf({ status: 'attempt_failed', announcesHeld })).toBe('warn');
    expect(heldStepOf({ status: 'available_for_pickup', announcesHeld })).toBe('warn');
    expect(heldStepOf({ status: 'in_transit', delayed: true })).toBeNull();
    // Not collected on its way back.
    expect(heldStepOf({ status: 'returning', announcesHeld })).toBe('close');
  });
});

describe('a decision', () => {
  it.each<[string, EventStatus[]]>([
    ['REDISPATCH_SAME_ADDRESS', ['in_transit', 'out_for_delivery', 'available_for_pickup', 'delivered']],
    ['RETURN_TO_SENDER', ['in_transit', 'returning', 'returned']],
    ['DESTROY', ['destroyed']],
    ['PICKUP_AT_SHOP', ['in_transit', 'out_for_delivery', 'available_for_pickup', 'delivered']],
  ])('%s is confirmed by %j and by nothing else', (action, endings) => {
    const all = [
      'in_transit',
      'out_for_delivery',
      'available_for_pickup',
      'returning',
      'delivered',
      'returned',
      'destroyed',
      'lost',
    ] as const;
    const wanted = HELD_ACTIONS.find((one) => one === action) ?? 'DESTROY';

    expect(all.filter((ending) => isConfirmedBy(wanted, ending))).toEqual(endings);
  });
});

describe('the state of a case', () => {
  const [at, not] = [new Date(), null];
  it.each([
    [{ openedAt: not, decidedAt: not, closedAt: not }, 'warning'],
    [{ openedAt: at, decidedAt: not, closedAt: not }, 'open'],
    [{ openedAt: at, decidedAt: at, closedAt: not }, 'decided'],
    [{ openedAt: not, decidedAt: at, closedAt: not }, 'decided'],
    [{ openedAt: at, decidedAt: at, closedAt: at }, 'closed'],
  ])('%j is %s', (facts, status) => {
    expect(heldStatusOf(facts)).toBe(status);
  });

  it('is told in plain Italian and English for every reason', () => {
    for (const { explanation, advice } of Object.values(HELD_REASONS)) {
      for (const words of [explanation.it, explanation.en, advice.it, advice.en])
        expect(words).toMatch(/^\p{Lu}.*\.$/u);
    }
  });
});
