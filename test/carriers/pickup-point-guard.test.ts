import { describe, expect, it } from 'vitest';
import { carriers } from '../../src/carriers/index.ts';
import { buildDraft } from '../support/build-draft.ts';

const words = (label: string) =>
  `${label} delivers to addresses only here: choose another carrier, or leave the pick-up point out`;

describe.each([...carriers.values()])('a draft to a pick-up point for $label', (carrier) => {
  const problems = (pickupPointId: string | null) => carrier.check?.(buildDraft({ pickupPointId }), {}) ?? [];

  it('is refused in words unless the carrier has pick-up points', () => {
    expect(problems('POINT-1').includes(words(carrier.label))).toBe(carrier.findPickupPoints === undefined);
  });

  it('without a point is not refused for that', () => {
    expect(problems(null)).not.toContain(words(carrier.label));
  });
});

it('carriers with pick-up points are these', () => {
  const able = [...carriers.values()].filter(({ findPickupPoints }) => findPickupPoints).map(({ id }) => id);

  expect(able.toSorted()).toEqual(['brt', 'inpost-it', 'poste-it', 'ups']);
});
