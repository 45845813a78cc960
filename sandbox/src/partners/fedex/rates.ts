import { NO_ACCOUNT, no, type Refusal } from './answers.ts';
import type { RateRequest } from './protocol.ts';
import { isAccount, isUnroutable, SERVICES } from './shipments.ts';

/** Service, base and per-kilogram price in euro, days on the way. */
const TARIFF = {
  domestic: [['FEDEX_PRIORITY', 9, 0.6, 1]],
  abroad: [
    ['FEDEX_REGIONAL_ECONOMY', 16, 1.4, 4],
    ['FEDEX_INTERNATIONAL_PRIORITY', 34, 3.5, 2],
  ],
} as const;
/** Factor on the published price. */
const NEGOTIATED = 0.7;
const DAY_MS = 86_400_000;

export function rateAnswer({ accountNumber, requestedShipment: order }: RateRequest): object | Refusal {
  const { shipper, recipient, shipDateStamp = '2026-11-23', rateRequestType = ['ACCOUNT'] } = order;
  if (!isAccount(accountNumber.value)) return NO_ACCOUNT;
  if (isUnroutable(recipient.address)) {
    return no('SERVICE.LOCATION.UNAVAILABLE', 'The origin and destination are not served.');
  }
  const isDomestic = shipper.address.countryCode === recipient.address.countryCode;
  if (!isDomestic && !order.customsClearanceDetail) {
    return no('INVALID.INPUT.EXCEPTION', 'Invalid field value in the input: commodities are required');
  }
  const weight = order.requestedPackageLineItems.reduce((sum, one) => sum + one.weight.value, 0);
  return {
    rateReplyDetails: TARIFF[isDomestic ? 'domestic' : 'abroad'].map(([serviceType, base, perKilo, days]) => {
      const published = base + perKilo * weight;
      const day = new Date(Date.parse(shipDateStamp) + days * DAY_MS).toISOString().slice(0, 10);
      return {
        serviceType,
        serviceName: SERVICES[serviceType],
        packagingType: 'YOUR_PACKAGING',
        ratedShipmentDetails: [
          ...(rateRequestType.includes('LIST') ? [priceOf('LIST', published)] : []),
          priceOf('ACCOUNT', published * NEGOTIATED),
        ],
        commit: { dateDetail: { dayOfWeek: 'MON', dayFormat: `${day}T18:00:00` } },
        operationalDetail: { deliveryDate: `${day}T18:00:00` },
      };
    }),
    quoteDate: shipDateStamp,
  };
}

function priceOf(rateType: string, amount: number): object {
  const total = Math.round(amount * 100) / 100;
  return {
    rateType,
    ratedWeightMethod: 'ACTUAL',
    totalNetCharge: total,
    totalNetFedExCharge: total,
    totalBaseCharge: total,
    shipmentRateDetail: { currency: 'EUR' },
  };
}
