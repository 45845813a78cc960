import { NO_SHIPPER, no, type Refusal, SUCCESS } from './answers.ts';
import type { RateRequest } from './protocol.ts';
import { isShipper, isUnroutable } from './shipments.ts';

/** Service, base and per-kilogram price in euro. */
const TARIFF = {
  domestic: [
    ['11', 7, 0.5],
    ['65', 12, 0.9],
  ],
  abroad: [
    ['11', 15, 1.4],
    ['65', 28, 3],
    ['07', 39, 4],
  ],
} as const;
/** Factor on the published price. */
const NEGOTIATED = 0.7;

export function rateAnswer({ RateRequest: { Shipment: order } }: RateRequest): object | Refusal {
  const { Shipper, ShipTo } = order;
  if (!isShipper(Shipper.ShipperNumber)) return NO_SHIPPER;
  if (isUnroutable(ShipTo.Address)) return no('10006', 'The destination is not served');
  const kind = Shipper.Address.CountryCode === ShipTo.Address.CountryCode ? 'domestic' : 'abroad';
  const weight = order.Package.reduce((sum, { PackageWeight }) => sum + Number(PackageWeight.Weight), 0);
  const isNegotiated = order.ShipmentRatingOptions?.NegotiatedRatesIndicator !== undefined;
  return {
    RateResponse: {
      Response: SUCCESS,
      RatedShipment: TARIFF[kind].map(([Code, base, perKilo]) => {
        const price = base + perKilo * weight;
        return {
          Service: { Code },
          BillingWeight: {
            UnitOfMeasurement: { Code: 'KGS', Description: 'Kilograms' },
            Weight: weight.toFixed(1),
          },
          TransportationCharges: money(price),
          ServiceOptionsCharges: money(0),
          TotalCharges: money(price),
          ...(isNegotiated ? { NegotiatedRateCharges: { TotalCharge: money(price * NEGOTIATED) } } : {}),
          RatedPackage: order.Package.map(({ PackageWeight }) => ({ Weight: PackageWeight.Weight })),
        };
      }),
    },
  };
}

function money(amount: number) {
  return { CurrencyCode: 'EUR', MonetaryValue: amount.toFixed(2) };
}
