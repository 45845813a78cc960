import { expect, it } from 'vitest';
import type { Shipment } from '../../src/db/entities/index.ts';
import { handleOf } from '../../src/engine/shipment-draft.ts';

it('tells a carrier when a shipment was booked, for numbers that are used again', () => {
  const bookedAt = new Date('2026-11-20T10:00:00Z');
  const shipment = { reference: 'SM1', trackingNumber: '7946', carrierReference: null, bookedAt };

  expect(handleOf(shipment as Shipment)).toEqual({
    reference: 'SM1',
    trackingNumber: '7946',
    carrierReference: '',
    bookedAt,
  });
});
