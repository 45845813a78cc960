import { toCents } from '../../lib/decimal.ts';
import { readEach, warnOf } from '../../lib/read-each.ts';
import type { CarrierContext, LiveRate, Party, ShipmentDraft } from '../adapter.ts';
import { deliveryDay, probe, SAMPLE } from '../probe.ts';
import { declaredOf } from './mapping.ts';
import { addressOf, dimensionsOf, namesOf, weightOf } from './parties.ts';
import { type Account, RateAnswer, RatedShipment } from './schema.ts';
import { productName } from './services.ts';
import { call } from './wire.ts';

type Context = CarrierContext<Account>;
type Question = Pick<ShipmentDraft, keyof typeof SAMPLE | 'reference'>;

/**
 * Lists every service that UPS would take this draft with. Prices are negotiated where the account has them, else
 * published.
 */
export async function rates(context: Context, draft: ShipmentDraft): Promise<LiveRate[]> {
  const { RateResponse } = await shop(context, draft);
  const rated = readEach(RatedShipment, RateResponse.RatedShipment, warnOf(context.log, 'rates'));
  return rated.map(({ Service, TotalCharges, NegotiatedRateCharges, GuaranteedDelivery }) => {
    const price = NegotiatedRateCharges?.TotalCharge ?? TotalCharges;
    return {
      serviceCode: Service.Code,
      serviceName: productName(Service.Code),
      amountCents: toCents(price.MonetaryValue),
      currency: price.CurrencyCode,
      deliveryDate: deliveryDay(GuaranteedDelivery?.ScheduledDeliveryDate ?? ''),
    };
  });
}

function shop(context: Context, draft: Question) {
  return call(
    context,
    {
      operation: 'rate',
      effect: 'read',
      method: 'POST',
      path: '/rating/v2409/Shop',
      body: rateBody(context.account, draft),
    },
    RateAnswer,
  );
}

function rateBody({ shipperNumber, negotiatedRates }: Account, draft: Question) {
  return {
    RateRequest: {
      Request: { RequestOption: 'Shop', TransactionReference: { CustomerContext: draft.reference } },
      Shipment: {
        Shipper: { Name: namesOf(draft.sender).Name, ShipperNumber: shipperNumber, Address: placeOf(draft.sender) },
        ShipTo: { Name: namesOf(draft.recipient).Name, Address: placeOf(draft.recipient) },
        PaymentDetails: { ShipmentCharge: [{ Type: '01', BillShipper: { AccountNumber: shipperNumber } }] },
        Package: draft.parcels.map((parcel, index) => ({
          PackagingType: { Code: '02' },
          ...dimensionsOf(parcel),
          PackageWeight: weightOf(parcel.weightGrams),
          ...declaredOf(draft, index),
        })),
        ...(negotiatedRates ? { ShipmentRatingOptions: { NegotiatedRatesIndicator: '' } } : {}),
      },
    },
  };
}

/** Rating takes provinces of two letters only. */
function placeOf(party: Party) {
  const { StateProvinceCode, ...place } = addressOf(party);
  return StateProvinceCode?.length === 2 ? { ...place, StateProvinceCode } : place;
}

/** Reads prices, for which the app and the account number must be right. */
export async function verifyAccount(context: Context): Promise<void> {
  await probe(() => shop(context, { ...SAMPLE, reference: 'SMISTA' }));
}
