import { callShop, type ShopCall, type ShopContext } from './client.ts';
import type { Mechanism, Sent, Shipment } from './mechanism.ts';
import { refuse } from './refusal.ts';
import { Providers, Tracking, TrackingList } from './schema.ts';

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
      const existing = await callShop(
        context,
        { operation: 'shipment-trackings.list', method: 'GET', path },
        TrackingList,
      );
      const same = existing.data.find((each) => each.tracking_number === confirmation.trackingNumber);
      if (same) return { sent: sentOf(same, shipment) };
      return {
        write: async () => {
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
          return sentOf((await callShop(context, call, Tracking)).data, shipment);
        },
      };
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
  const wanted = (configured ?? confirmation.carrierName).toLowerCase();
  const listed = Object.values(data)
    .flatMap((region) => Object.keys(region))
    .find((name) => name.toLowerCase() === wanted);
  if (listed) return { tracking_provider: listed };
  if (configured) throw refuse('carrier_invalid', `The shop's list of carriers has no "${configured}"`);
  return customCarrier(confirmation);
}

/** AST wants its own names; ours may not be among them, so only a name that the account gives is sent as such. */
function namedCarrier(context: ShopContext, { confirmation }: Shipment): Carrier {
  const configured = context.account.carrierNames?.[confirmation.carrierId];
  return configured ? { tracking_provider: configured } : customCarrier(confirmation);
}

function customCarrier({ carrierName, trackingUrl }: Shipment['confirmation']): Carrier {
  return { custom_tracking_provider: carrierName, custom_tracking_link: trackingUrl };
}

function sentOf(tracking: Tracking, { confirmation }: Shipment): Sent {
  return {
    transactionId: tracking.tracking_id,
    trackingCarrier: tracking.tracking_provider || confirmation.carrierName,
    trackingUrl: tracking.tracking_link || confirmation.trackingUrl,
  };
}
