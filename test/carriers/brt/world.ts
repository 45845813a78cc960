import { createBrtSandbox } from '../../../sandbox/src/partners/brt.ts';
import type { ShipmentDraft, ShipmentHandle } from '../../../src/carriers/adapter.ts';
import { brt } from '../../../src/carriers/brt/index.ts';
import { type CarrierWorld, carrierWorld, handleOf } from '../world.ts';

export const accountAt = (url: string) => ({
  userID: '1020304',
  password: 'sandbox',
  senderCustomerCode: '1020304',
  departureDepot: '061',
  pudoToken: 'sandbox',
  baseUrl: url,
  soapBaseUrl: url,
});

interface BrtWorld extends CarrierWorld {
  /** Created and confirmed, ready to move. */
  onItsWay(draft: ShipmentDraft): Promise<ShipmentHandle>;
}

export function brtWorld(): BrtWorld {
  const world = carrierWorld(brt, createBrtSandbox, accountAt);
  const onItsWay = async (draft: ShipmentDraft): Promise<ShipmentHandle> => {
    const handle = handleOf(draft, await world.create(draft));
    await world.transmit(handle);
    return handle;
  };
  return Object.assign(world, { onItsWay });
}
