import { z } from 'zod';
import { spellingsOf } from '../carrier-names.ts';
import { callShop, lookUp, type ShopCall, type ShopContext } from './client.ts';
import { isReplaced, type Mechanism, requireWhole, type Sent, type Shipment } from './mechanism.ts';
import { refuse } from './refusals.ts';
import { Providers, Tracking } from './schema.ts';

type Carrier = { tracking_provider: string } | { custom_tracking_provider: string; custom_tracking_link: string };

/** The official Shipment Tracking extension. */
export const shipmentTracking = trackingPlugin('wc-shipment-tracking/v3', listedCarrier);

/** Advanced Shipment Tracking. A repeat adds a second row there, so the read before the write is the only guard. */
export const advancedShipmentTracking = trackingPlugin('wc-ast/v3', namedCarrier);

function trackingPlugin(
  namespace: string,
  chooseCarrier: (context: ShopContext, shipment: Shipment) => Carrier | Promise<Carrier>,
): Mechanism {
  return {
    completesOrder: true,
    async look(context, shipment) {
      const { order, confirmation } = shipment;
      const path = `${namespace}/orders/${order.id}/shipment-trackings`;
      const found = await lookUp(context, { operation: 'shipment-trackings.list', path, schema: Tracking });
      const same = found.elements.find((each) => each.tracking_number === confirmation.trackingNumber);
      const dead = found.elements.filter((each) => isReplaced(shipment, each.tracking_number));
      if (same && dead.length === 0) return { sent: sentOf(same, shipment) };
      return {
        // The live number comes first, so that the customer is never without one.
        write: async () => {
          const tracking = same ?? (await create());
          for (const { tracking_id: id } of dead) {
            const call: ShopCall = { operation: 'shipment-trackings.delete', method: 'DELETE', path: `${path}/${id}` };
            await callShop(
              context,
              call,
              z.record(z.string(), z.unknown()).refine((answer) => 'tracking_id' in answer || 'message' in answer),
            );
          }
          return sentOf(tracking, shipment);
        },
      };

      async function create(): Promise<Tracking> {
        requireWhole(found, 'trackings');
        const call: ShopCall = {
          operation: 'shipment-trackings.create',
          method: 'POST',
          path,
          body: {
            ...(await chooseCarrier(context, shipment)),
            tracking_number: confirmation.trackingNumber,
            date_shipped: confirmation.shippedOn,
          },
        };
        const created = Tracking.refine((each) => each.tracking_number === confirmation.trackingNumber);
        return (await callShop(context, call, created)).data;
      }
    },
  };
}

/** The extension's own spelling of the carrier, or a custom carrier with its link when the extension does not list it. */
async function listedCarrier(context: ShopContext, { confirmation }: Shipment): Promise<Carrier> {
  const path = `wc-shipment-tracking/v3/orders/${confirmation.externalOrderId}/shipment-trackings/providers`;
  const { data } = await callShop(
    context,
    { operation: 'shipment-trackings.providers', method: 'GET', path },
    Providers,
  );
  const configured = context.account.carrierNames?.[confirmation.carrierId];
  const names = Object.values(data).flatMap((region) => Object.keys(region));
  const ours = [confirmation.carrierName, ...spellingsOf(confirmation.carrierId, 'woocommerce-plugin')];
  const listed = (configured ? [configured] : ours)
    .map((wanted) => names.find((name) => name.toLowerCase() === wanted.toLowerCase()))
    .find((name) => name !== undefined);
  if (listed) return { tracking_provider: listed };
  if (configured) throw refuse('carrier_invalid', `The shop's list of carriers has no "${configured}"`);
  return customCarrier(confirmation);
}

/** AST wants its own names; ours may not be among them, so only a name that the account gives is sent as such. */
function namedCarrier(context: ShopContext, { confirmation }: Shipment): Carrier {
  const configured = context.account.carrierNames?.[confirmation.carrierId];
  return configured ? { tracking_provider: configured } : customCarrier(confirmation);
}

function customCarrier(confirmation: Shipment['confirmation']): Carrier {
  return {
    custom_tracking_provider: confirmation.carrierName,
    custom_tracking_link: confirmation.trackingUrl,
  };
}

function sentOf(tracking: Tracking, { confirmation }: Shipment): Sent {
  return {
    transactionId: tracking.tracking_id,
    trackingCarrier: tracking.tracking_provider || confirmation.carrierName,
    trackingUrl: tracking.tracking_link || confirmation.trackingUrl,
  };
}
