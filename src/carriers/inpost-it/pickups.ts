import type { BookedPickup, CarrierContext, PickupRequest } from '../adapter.ts';
import { wholeAddressOf } from './mapping.ts';
import { notAsked } from './refusals.ts';
import { type Account, DispatchOrder } from './schema.ts';
import { shipxId } from './shipment-list.ts';
import { call } from './wire.ts';

type Context = CarrierContext<Account>;

/** Orders a pickup of named shipments at a place. InPost has no field for a day or an hour. */
export async function bookPickup(context: Context, request: PickupRequest): Promise<BookedPickup> {
  const { account } = context;
  if (account.sendingMethod !== 'dispatch_order')
    throw notAsked('it fetches parcels of accounts with sendingMethod dispatch_order only');
  if (request.shipments.length === 0) throw notAsked('a pickup needs the shipments to be fetched');
  const address = wholeAddressOf(request.place);
  const shipments: string[] = [];
  for (const shipment of request.shipments) shipments.push(await shipxId(context, shipment));
  const { id, status } = await call(
    context,
    {
      operation: 'createDispatchOrder',
      effect: 'write',
      method: 'POST',
      path: `/v1/organizations/${account.organizationId}/dispatch_orders`,
      body: { shipments, address },
      promised: 'any',
    },
    DispatchOrder,
  );
  return {
    confirmation: String(id),
    message: `InPost chooses the time itself, and may still reject the order${status === '' ? '' : ` (now: ${status})`}`,
  };
}
