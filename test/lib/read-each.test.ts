import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { readEach, warnOf } from '../../src/lib/read-each.ts';
import { listeningLog } from '../support/call-carrier.ts';

const Point = z.object({ id: z.string(), place: z.object({ latitude: z.number() }).nullish() });

describe('reading a list element by element', () => {
  it('keeps what can be read and names the odd fields once', () => {
    const onUnreadable = vi.fn();
    const raws = [{ id: 'A' }, { id: 7 }, null, { id: 'B', place: { latitude: 'Anna' } }, { id: 8 }, { id: 'C' }];

    const points = readEach(Point, raws, onUnreadable);

    expect(points.map(({ id }) => id)).toEqual(['A', 'C']);
    expect(onUnreadable.mock.calls).toEqual([[{ count: 4, fields: ['(element)', 'id', 'place.latitude'] }]]);
  });

  it('says nothing when every element can be read', () => {
    const onUnreadable = vi.fn();

    expect(readEach(Point, [{ id: 'A' }], onUnreadable)).toHaveLength(1);
    expect(onUnreadable).not.toHaveBeenCalled();
  });

  it('logs a count and the names of fields, never a value', () => {
    const { log, written } = listeningLog();

    readEach(Point, [{ id: 'A', place: { latitude: 'Via Roma 1' } }], warnOf(log, 'points'));

    expect(JSON.parse(written())).toMatchObject({ list: 'points', count: 1, fields: ['place.latitude'] });
    expect(written()).not.toContain('Via Roma');
  });
});
