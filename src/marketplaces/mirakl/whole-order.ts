import { IntegrationError } from '../../lib/errors.ts';
import { minus } from '../pieces.ts';
import { isReplaced } from '../tracking-numbers.ts';
import { putMirakl } from './client.ts';
import { orderedPieces, wantedPieces } from './lines.ts';
import type { Look, Mechanism, Sent } from './mechanism.ts';
import { stateOf } from './order-states.ts';
import { refuse } from './refusals.ts';

const TAKES_NO_NUMBER = new Set(['already_shipped', 'order_not_shippable', 'validation']);

/** The tracking number of the order (OR23), then its shipment (OR24). */
export const wholeOrder: Mechanism = async (context, look) => {
  const { order, confirmation } = look;
  const isShipped = stateOf(order) === 'shipped';
  const isSame = order.shipping_tracking.toUpperCase() === confirmation.trackingNumber.toUpperCase();
  if (isShipped && isSame) return { sent: shownBy(look) };
  const isDead = isReplaced(confirmation, order.shipping_tracking);
  if ((isShipped && !isDead) || (order.shipping_tracking !== '' && !isSame && !isDead)) {
    const other = order.shipping_tracking === '' ? 'no tracking number' : 'another tracking number';
    throw refuse('already_shipped', `Order ${order.order_id} has ${other} and is "${order.order_state}" at Mirakl`);
  }
  requireWhole(look);
  const path = `orders/${encodeURIComponent(order.order_id)}`;
  return {
    write: async () => {
      if (!isSame) {
        await putMirakl(context, { operation: 'OR23', path: `${path}/tracking`, body: trackingOf(look) }).catch(
          (error: unknown) => {
            throw isShipped ? toldAnother(error, order) : error;
          },
        );
      }
      // OR23 alone corrects the number of an order that was shipped under a dead one.
      if (!isShipped) await putMirakl(context, { operation: 'OR24', path: `${path}/ship` });
      return {
        transactionId: order.order_id,
        trackingCarrier: 'code' in look.carrier ? look.carrier.code : look.carrier.name,
        trackingNumber: confirmation.trackingNumber,
        // That of a registered carrier is Mirakl's own, and comes with the next reading.
        trackingUrl: 'code' in look.carrier ? '' : confirmation.trackingUrl,
        status: isShipped ? order.order_state : 'SHIPPED',
      };
    },
  };
};

/** An order that is received or closed takes no new number. */
function toldAnother(error: unknown, { order_id, shipping_tracking }: Look['order']): unknown {
  if (!(error instanceof IntegrationError) || !TAKES_NO_NUMBER.has(error.code)) return error;
  const message = `Mirakl keeps ${shipping_tracking} for order ${order_id}: ${error.message}`;
  return refuse('told_another_number', message, error);
}

function requireWhole({ order, confirmation }: Look): void {
  const ordered = orderedPieces(order);
  const wanted = wantedPieces(order, confirmation);
  if (minus(wanted, ordered).size > 0) {
    throw refuse('quantity_exceeded', `Order ${order.order_id} has fewer pieces to ship than were sent`);
  }
  if (minus(ordered, wanted).size > 0) {
    const message = `Order ${order.order_id} can only be shipped whole: the operator must allow multiple shipments`;
    throw refuse('feature_disabled', message);
  }
}

function trackingOf({ carrier, confirmation }: Look): object {
  const { trackingNumber: tracking_number, trackingUrl } = confirmation;
  if ('code' in carrier) return { carrier_code: carrier.code, tracking_number };
  return { carrier_name: carrier.name, ...(trackingUrl && { carrier_url: trackingUrl }), tracking_number };
}

function shownBy({ order, confirmation }: Look): Sent {
  return {
    transactionId: order.order_id,
    trackingCarrier: order.shipping_carrier_code || order.shipping_company,
    trackingNumber: confirmation.trackingNumber,
    trackingUrl: order.shipping_tracking_url,
    status: order.order_state,
  };
}
