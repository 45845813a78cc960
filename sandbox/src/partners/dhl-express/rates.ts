import { badRequest, type Refusal } from './answers.ts';
import { isUnroutable } from './places.ts';
import type { RateRequest } from './protocol.ts';
import { isAccount, readTime } from './shipments.ts';

const DAY_MS = 86_400_000;

/** Product, days on the way, base and per-kilogram price in euro. */
const TARIFF = {
  domestic: [
    ['N', 'EXPRESS DOMESTIC', 1, 9, 0.8],
    ['1', 'EXPRESS DOMESTIC 12:00', 1, 14, 1],
  ],
  international: [
    ['U', 'EXPRESS WORLDWIDE', 2, 24, 2.5],
    ['W', 'ECONOMY SELECT', 4, 18, 1.5],
  ],
  declarable: [
    ['P', 'EXPRESS WORLDWIDE NONDOC', 3, 38, 4],
    ['W', 'ECONOMY SELECT', 6, 29, 3],
  ],
} as const;

export function ratesAnswer(request: RateRequest): object | Refusal {
  const { shipperDetails, receiverDetails } = request.customerDetails;
  const planned = readTime(request.plannedShippingDateAndTime);
  if (!planned) return badRequest('998: ShipTimeStamp is not well formatted.');
  if (!request.accounts?.some(({ number }) => isAccount(number))) {
    return badRequest('The account number is not found or invalid. Please check the account number and retry.');
  }
  if (isUnroutable(receiverDetails)) return badRequest('The destination location is invalid');
  const kind =
    shipperDetails.countryCode === receiverDetails.countryCode
      ? 'domestic'
      : request.isCustomsDeclarable
        ? 'declarable'
        : 'international';
  const weight = request.packages.reduce((sum, one) => sum + one.weight, 0);
  return {
    products: TARIFF[kind].map(([productCode, productName, days, base, perKilo]) => {
      const price = Math.round((base + perKilo * weight) * 100) / 100;
      const arrives = new Date(planned.at.getTime() + days * DAY_MS).toISOString().slice(0, 10);
      return {
        productName,
        productCode,
        localProductCode: productCode,
        weight: { volumetric: weight, provided: weight, unitOfMeasurement: 'metric' },
        totalPrice: [
          { currencyType: 'BILLC', priceCurrency: 'EUR', price },
          { currencyType: 'BASEC', priceCurrency: 'USD', price: Math.round(price * 110) / 100 },
        ],
        deliveryCapabilities: { deliveryTypeCode: 'QDDC', estimatedDeliveryDateAndTime: `${arrives}T23:59:00` },
      };
    }),
  };
}
