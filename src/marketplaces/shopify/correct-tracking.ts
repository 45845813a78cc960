import { IntegrationError } from '../../lib/errors.ts';
import type { ShipmentConfirmation } from '../adapter.ts';
import type { ShopContext } from './account.ts';
import { ask } from './client.ts';
import { UPDATE_TRACKING } from './operations.ts';
import { PROVIDER, refusalOfShipment } from './refusals.ts';
import { type Fulfillment, UpdatedTracking } from './schema.ts';
import { trackingInfoOf } from './tracking-info.ts';

/** Puts the live number in the place of the dead ones of a fulfilment, and keeps its others. */
export async function correctTracking(
  context: ShopContext,
  confirmation: ShipmentConfirmation,
  { id, trackingInfo }: Fulfillment,
): Promise<void> {
  const { trackingNumber, replacedNumbers = [] } = confirmation;
  const others = trackingInfo.filter(({ number }) => number !== trackingNumber && !replacedNumbers.includes(number));
  const { fulfillmentTrackingInfoUpdate: answer } = await ask(context, {
    operation: UPDATE_TRACKING,
    variables: {
      id,
      tracking: trackingInfoOf(context.account, confirmation, others),
      notify: context.account.notifyCustomer ?? true,
    },
    answer: UpdatedTracking,
  });
  if (answer.userErrors.length > 0) throw refusalOfShipment(answer.userErrors);
  const { fulfillment } = answer;
  if (fulfillment?.id === id && fulfillment.trackingInfo.some(({ number }) => number === trackingNumber)) return;
  throw new IntegrationError(`${PROVIDER} neither corrected the number nor refused to`, {
    kind: 'unknown-outcome',
    provider: PROVIDER,
    code: 'answer-unreadable',
  });
}
