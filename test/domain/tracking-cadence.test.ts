import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nextPollMs } from '../../src/domain/tracking-cadence.ts';
import {
  afterEvents,
  type EventStatus,
  statusInContext,
  TRACKING_STATUSES,
  type TrackingStatus,
} from '../../src/domain/tracking-status.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const STATUSES = Object.keys(TRACKING_STATUSES) as TrackingStatus[];

function pause(status: TrackingStatus | null, silentMs = 0): number | null {
  return nextPollMs({ status, silentMs, baseMs: HOUR, expireMs: 30 * DAY });
}

describe('the pause until the next look at a parcel', () => {
  it.each<[TrackingStatus | null, number, number | null]>([
    ['out_for_delivery', 0, HOUR / 2],
    ['attempt_failed', HOUR, HOUR],
    ['in_transit', 0, 2 * HOUR],
    [null, 0, 4 * HOUR],
    ['awaiting_pickup', DAY, 4 * HOUR],
    ['in_transit', 3 * DAY, 4 * HOUR],
    ['in_transit', 7 * DAY, 12 * HOUR],
    ['awaiting_pickup', 14 * DAY, DAY],
    ['held', 31 * DAY, null],
    ['delivered', 0, null],
  ])('of %s after %d ms of silence is %d', (status, silentMs, expected) => {
    expect(pause(status, silentMs)).toBe(expected);
  });

  it('never falls as the silence grows, and is at most a day', () => {
    const silence = fc.integer({ min: 0, max: 29 * DAY });
    fc.assert(
      fc.property(fc.constantFrom(...STATUSES, null), silence, silence, (status, one, other) => {
        const [short, long] = [pause(status, Math.min(one, other)), pause(status, Math.max(one, other))];

        if (short === null || long === null) expect([short, long]).toEqual([null, null]);
        else expect([long >= short, long <= DAY]).toEqual([true, true]);
      }),
    );
  });
});

describe('the state after events', () => {
  const events = fc.array(
    fc.record({
      at: fc.integer({ min: 1, max: 20 }).map((hour) => new Date(hour * HOUR)),
      status: fc.constantFrom<EventStatus>(...STATUSES, 'unrecognised'),
    }),
    { maxLength: 8 },
  );
  const nothing = { status: null, lastEventAt: 0, isDelayed: false };

  it('does not change when the same events come again', () => {
    fc.assert(
      fc.property(events, (some) => {
        const once = afterEvents(nothing, some);
        const isEnd = once.status !== null && TRACKING_STATUSES[once.status] === 9;

        if (isEnd) expect(afterEvents(once, some).status).toBe(once.status);
        expect(afterEvents(nothing, [...some].reverse()).lastEventAt).toBe(once.lastEventAt);
      }),
    );
  });
});

describe('the meaning of an event at its place', () => {
  it.each<[EventStatus, 'return' | 'part', EventStatus]>([
    ['delivered', 'return', 'returned'],
    ['in_transit', 'return', 'returning'],
    ['lost', 'return', 'lost'],
    ['unrecognised', 'return', 'unrecognised'],
    ['delivered', 'part', 'in_transit'],
    ['held', 'part', 'held'],
  ])('%s, on the way %s, is %s', (status, context, expected) => {
    expect(statusInContext(status, context)).toBe(expected);
    expect(statusInContext(status, '')).toBe(status);
  });
});
