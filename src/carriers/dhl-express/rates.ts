import { centsToNumber, toCents } from '../../lib/decimal.ts';
import { readEach, warnOf } from '../../lib/read-each.ts';
import type { CarrierContext, LiveRate, Party, ShipmentDraft } from '../adapter.ts';
import { linesCents } from '../customs.ts';
import { deliveryDay, probe, SAMPLE } from '../probe.ts';
import { accountsOf, servicesOf, weighed } from './mapping.ts';
import { postalAddress } from './parties.ts';
import { routeOf } from './route.ts';
import { dhlTime, nextHandover } from './schedule.ts';
import { type Account, Price, RatedProduct, RatesAnswer } from './schema.ts';
import { call } from './wire.ts';

type Context = CarrierContext<Account>;

/** In the currency that the account is billed in; the other two are list prices. */
const BILLED = 'BILLC';

/** Lists every product that DHL would take this draft with. One without a price cannot be compared and is left out. */
export async function rates(context: Context, draft: ShipmentDraft): Promise<LiveRate[]> {
  const body = ratesBody(context.account, draft, context.now());
  const { products } = await quote(context, body);
  const rated = readEach(RatedProduct, products, warnOf(context.log, 'rates'));
  return rated.flatMap(({ productCode, productName, totalPrice, deliveryCapabilities }) => {
    const prices = readEach(Price, totalPrice, warnOf(context.log, 'prices'));
    const billed = prices.find(({ currencyType, price }) => currencyType === BILLED && price > 0);
    if (!billed || productCode === '') return [];
    return [
      {
        serviceCode: productCode,
        serviceName: productName,
        amountCents: toCents(billed.price),
        currency: billed.priceCurrency,
        deliveryDate: deliveryDay(deliveryCapabilities?.estimatedDeliveryDateAndTime ?? ''),
      },
    ];
  });
}

function quote(context: Context, body: object) {
  return call(context, { operation: 'rates', effect: 'read', method: 'POST', path: '/rates', body }, RatesAnswer);
}

function ratesBody(account: Account, draft: ShipmentDraft, now: Date) {
  const { isDeclarable } = routeOf(draft.sender, draft.recipient);
  const declared = isDeclarable ? linesCents(draft.lines) : 0;
  const services = servicesOf(draft);
  return {
    customerDetails: { shipperDetails: placeOf(draft.sender), receiverDetails: placeOf(draft.recipient) },
    accounts: accountsOf(account),
    ...(services.length > 0 ? { valueAddedServices: services } : {}),
    plannedShippingDateAndTime: dhlTime(nextHandover(now, account), account.timeZone),
    unitOfMeasurement: 'metric',
    isCustomsDeclarable: isDeclarable,
    ...(declared > 0
      ? { monetaryAmount: [{ typeCode: 'declaredValue', value: centsToNumber(declared), currency: draft.currency }] }
      : {}),
    estimatedDeliveryDate: { isRequested: true, typeCode: 'QDDC' },
    packages: draft.parcels.map(weighed),
  };
}

function placeOf(party: Party) {
  return postalAddress(party, { withProvinceName: false });
}

/** Reads prices, for which username, password and account number must all be right. */
export async function verifyAccount(context: Context): Promise<void> {
  const { account } = context;
  const body = {
    customerDetails: { shipperDetails: placeOf(SAMPLE.sender), receiverDetails: placeOf(SAMPLE.recipient) },
    accounts: accountsOf(account),
    plannedShippingDateAndTime: dhlTime(nextHandover(context.now(), account), account.timeZone),
    unitOfMeasurement: 'metric',
    isCustomsDeclarable: false,
    packages: SAMPLE.parcels.map(weighed),
  };
  await probe(() => quote(context, body));
}
