import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { carriedTime, dayAfter, isCalendarDay, wallClock } from '../../src/lib/clock.ts';

/** As the platform shows it, asked anew every time. */
function shown(at: Date, timeZone: string): { date: string; time: string } {
  const parts = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' } as const;
  const [date = '', time = ''] = new Intl.DateTimeFormat('sv-SE', { timeZone, ...parts }).format(at).split(' ');
  return { date, time };
}

describe('the wall clock', () => {
  it.each([
    ['2026-03-29T00:59:59Z', 'Europe/Rome', '2026-03-29', '01:59'],
    ['2026-03-29T01:00:00Z', 'Europe/Rome', '2026-03-29', '03:00'],
    ['2026-10-25T00:59:59Z', 'Europe/Rome', '2026-10-25', '02:59'],
    ['2026-10-25T01:00:00Z', 'Europe/Rome', '2026-10-25', '02:00'],
    ['2026-12-31T23:30:00Z', 'Europe/Rome', '2027-01-01', '00:30'],
    ['2026-04-04T14:59:59Z', 'Australia/Lord_Howe', '2026-04-05', '01:59'],
    ['2026-04-04T15:00:00Z', 'Australia/Lord_Howe', '2026-04-05', '01:30'],
    ['2026-06-01T00:00:00Z', 'Asia/Kathmandu', '2026-06-01', '05:45'],
  ])('at %s in %s is %s %s', (at, timeZone, date, time) => {
    expect(wallClock(new Date(at), timeZone)).toEqual({ date, time });
  });

  it.each([
    ['2026-11-21T22:24:00Z', -29, '2026-10-23'],
    ['2026-03-28T23:30:00Z', 1, '2026-03-30'],
    ['2026-12-31T22:59:59Z', 1, '2027-01-01'],
  ])('counts days on the calendar: from %s %i is %s', (at, days, day) => {
    expect(dayAfter(new Date(at), days, 'Europe/Rome')).toBe(day);
  });

  it('is what the platform says, anywhere and at any time', () => {
    const instant = fc.date({ min: new Date('1980-01-01'), max: new Date('2060-01-01'), noInvalidDate: true });
    const zone = fc.constantFrom('Europe/Rome', 'UTC', 'America/St_Johns', 'Asia/Kolkata', 'Pacific/Apia');

    fc.assert(
      fc.property(instant, zone, (at, timeZone) => {
        expect(wallClock(at, timeZone)).toEqual(shown(at, timeZone));
      }),
      { numRuns: 2000 },
    );
  });
});

describe('a time as carriers write it', () => {
  it.each([
    ['2026-11-16', '06:05', { date: '2026-11-16', time: '06:05' }],
    ['2026-11-16', '6.05', { date: '2026-11-16', time: '06:05' }],
    ['2026-11-16', '06:63', { date: '2026-11-16', time: '07:03' }],
    ['2026-12-31', '23:75', { date: '2027-01-01', time: '00:15' }],
    ['2026-11-16', '24:00', { date: '2026-11-17', time: '00:00' }],
    ['2026-11-16', '25:00', null],
    ['2026-11-16', '', null],
    ['2026-02-31', '06:05', null],
  ])('on %s at "%s" is %o', (date, time, carried) => {
    expect(carriedTime(date, time)).toEqual(carried);
  });

  it.each([
    ['2028-02-29', true],
    ['2026-02-29', false],
    ['2026-13-01', false],
    ['ieri', false],
  ])('"%s" is a day of the calendar: %s', (date, isDay) => {
    expect(isCalendarDay(date)).toBe(isDay);
  });
});
