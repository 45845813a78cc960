import { toCents } from '../../lib/decimal.ts';
import { IntegrationError } from '../../lib/errors.ts';
import { readEach, warnOf } from '../../lib/read-each.ts';
import type { CarrierContext, LiveRate, Party, ShipmentDraft } from '../adapter.ts';
import { declaredOf } from './mapping.ts';
import { addressOf, dimensionsOf, namesOf, weightOf } from './parties.ts';
import { type Account, RateAnswer, RatedShipment } from './schema.ts';
import { productName } from './services.ts';
import { call } from './wire.ts';

type Context = CarrierContext<Account>;

/** Every service that UPS would take this draft with: negotiated prices where the account has them, else the published ones. */
export async function rates(context: Context, draft: ShipmentDraft): Promise<LiveRate[]> {
  const { RateResponse } = await shop(context, draft);
  const rated = readEach(RatedShipment, RateResponse.RatedShipment, warnOf(context.log, 'rates'));
  return rated.map(({ Service, TotalCharges, NegotiatedRateCharges, GuaranteedDelivery }) => {
    const price = NegotiatedRateCharges?.TotalCharge ?? TotalCharges;
    const day = GuaranteedDelivery?.ScheduledDeliveryDate ?? '';
    return {
      serviceCode: Service.Code,
      serviceName: productName(Service.Code),
      amountCents: toCents(price.MonetaryValue),
      currency: price.CurrencyCode,
      deliveryDate: /^\d{8}$/.test(day) ? day.replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3') : null,
    };
  });
}

function shop(context: Context, draft: Pick<ShipmentDraft, keyof typeof SAMPLE>) {
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

function rateBody({ shipperNumber, negotiatedRates }: Account, draft: Pick<ShipmentDraft, keyof typeof SAMPLE>) {
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

const HERE: Party = {
  name: 'Mittente',
  company: '',
  address: 'Piazza del Duomo 1',
  address2: '',
  city: 'Milano',
  zip: '20122',
  province: 'MI',
  countryCode: 'IT',
  phone: '',
  email: '',
};
const SAMPLE = {
  reference: 'SMISTA',
  sender: HERE,
  recipient: { ...HERE, name: 'Destinatario', address: 'Via Nazionale 1', city: 'Roma', zip: '00184', province: 'RM' },
  parcels: [{ weightGrams: 1000, lengthMm: 100, widthMm: 100, heightMm: 100 }],
  insuredCents: null,
  currency: 'EUR',
};

/** Prices are a read for which the app and the account number must be right; that nothing goes there says nothing. */
export async function verifyAccount(context: Context): Promise<void> {
  try {
    await shop(context, SAMPLE);
  } catch (error) {
    const isAnswer = error instanceof IntegrationError && error.kind === 'permanent';
    if (!isAnswer || error.code === 'credentials-refused') throw error;
  }
}
