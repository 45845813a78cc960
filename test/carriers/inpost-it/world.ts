import { createInpostItSandbox } from '../../../sandbox/src/partners/inpost-it/index.ts';
import type { FoundShipment, ShipmentDraft } from '../../../src/carriers/adapter.ts';
import { inpostIt } from '../../../src/carriers/inpost-it/index.ts';
import type { CarrierCaller } from '../../support/call-carrier.ts';
import { type CarrierWorld, carrierWorld } from '../world.ts';
import { lockerDraft } from './replies.ts';

/** Long enough for everything but ATTESA to be confirmed, on the sandbox's clock. */
export const A_MOMENT_HOURS = 0.001;

interface InpostWorld extends CarrierWorld {
  /** Ordered, and confirmed by the turn of the clock. */
  booked(draft: ShipmentDraft, by?: CarrierCaller): Promise<FoundShipment>;
}

/** One pretend InPost for all tests of a file. */
export function inpostWorld(): InpostWorld {
  const account = { organizationId: '4711', token: 'sandbox-token' };
  const accountAt = (url: string) => ({ ...account, baseUrl: url, pointsBaseUrl: url });
  const world = carrierWorld(inpostIt, createInpostItSandbox, accountAt, 'file');
  const { newDraft } = world;
  return Object.assign(world, {
    newDraft: (overrides: Partial<ShipmentDraft> = {}) =>
      lockerDraft({ reference: newDraft().reference, ...overrides }),
    booked: async (draft: ShipmentDraft, by = world.caller): Promise<FoundShipment> => {
      await world.failing(draft, by);
      await world.control.advance(A_MOMENT_HOURS);
      const found = await world.find(draft, by);
      if (!found) throw new Error('The shipment is not there');
      return found;
    },
  });
}
