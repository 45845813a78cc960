import { centsToNumber, toCents } from '../../lib/decimal.ts';
import { IntegrationError } from '../../lib/errors.ts';
import { readEach, warnOf } from '../../lib/read-each.ts';
import type { CarrierContext, LiveRate, Party, ShipmentDraft } from '../adapter.ts';
import { accountsOf, declaredCents, servicesOf, weighed } from './mapping.ts';
import { postalAddress } from './parties.ts';
import { routeOf } from './route.ts';
import { dhlTime, nextHandover } from './schedule.ts';
import { type Account, Price, RatedProduct, RatesAnswer } from './schema.ts';
import { call } from './wire.ts';

type Context = CarrierContext<Account>;

/** In the currency that the account is billed in; the other two are list prices. */
const BILLED = 'BILLC';

/** Every product that DHL would take this draft with. One without a price cannot be compared and is left out. */
export async function rates(context: Context, draft: ShipmentDraft): Promise<LiveRate[]> {
  const body = ratesBody(context.account, draft, context.now());
  const { products } = await call(
    context,
    { operation: 'rates', effect: 'read', method: 'POST', path: '/rates', body },
    RatesAnswer,
  );
  const rated = readEach(RatedProduct, products, warnOf(context.log, 'rates'));
  return rated.flatMap(({ productCode, productName, totalPrice, deliveryCapabilities }) => {
    const prices = readEach(Price, totalPrice, warnOf(context.log, 'prices'));
    const billed = prices.find(({ currencyType, price }) => currencyType === BILLED && price > 0);
    if (!billed || productCode === '') return [];
    const day = deliveryCapabilities?.estimatedDeliveryDateAndTime.slice(0, 10) ?? '';
    return [
      {
        serviceCode: productCode,
        serviceName: productName,
        amountCents: toCents(billed.price),
        currency: billed.priceCurrency,
        deliveryDate: /^\d{4}-\d{2}-\d{2}$/.test(day) ? day : null,
      },
    ];
  });
}

function ratesBody(account: Account, draft: ShipmentDraft, now: Date) {
  const { isDeclarable } = routeOf(draft.sender, draft.recipient);
  const declared = isDeclarable ? declaredCents(draft.lines) : 0;
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

const HERE: Party = {
  name: '',
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

/** Prices are a read for which username, password and account number must all be right; that nothing goes there says nothing. */
export async function verifyAccount(context: Context): Promise<void> {
  const { account } = context;
  const body = {
    customerDetails: {
      shipperDetails: placeOf(HERE),
      receiverDetails: placeOf({ ...HERE, address: 'Via Nazionale 1', city: 'Roma', zip: '00184', province: 'RM' }),
    },
    accounts: accountsOf(account),
    plannedShippingDateAndTime: dhlTime(nextHandover(context.now(), account), account.timeZone),
    unitOfMeasurement: 'metric',
    isCustomsDeclarable: false,
    packages: [weighed({ weightGrams: 1000, lengthMm: 100, widthMm: 100, heightMm: 100 })],
  };
  try {
    await call(context, { operation: 'rates', effect: 'read', method: 'POST', path: '/rates', body }, RatesAnswer);
  } catch (error) {
    const isAnswer = error instanceof IntegrationError && error.kind === 'permanent';
    if (!isAnswer || error.code === 'credentials-refused') throw error;
  }
}
