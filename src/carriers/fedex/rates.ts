import { wallClock } from '../../lib/clock.ts';
import { toCents } from '../../lib/decimal.ts';
import { IntegrationError } from '../../lib/errors.ts';
import { readEach, warnOf } from '../../lib/read-each.ts';
import type { CarrierContext, DraftLine, LiveRate, Party, ShipmentDraft } from '../adapter.ts';
import { commoditiesOf, isInternational } from './customs.ts';
import { declaredOf, TIME_ZONE } from './mapping.ts';
import { dimensionsOf, placeOf, weightOf } from './parties.ts';
import { refusalOf } from './refusals.ts';
import { type Account, RateAnswer, RatedDetail, RateReply } from './schema.ts';
import { serviceName } from './services.ts';
import { trackNumbers } from './tracking.ts';
import { call } from './wire.ts';

type Context = CarrierContext<Account>;
type Question = Pick<ShipmentDraft, keyof typeof SAMPLE>;

/** What the account pays for every service that FedEx would take this draft with. */
export async function rates(context: Context, draft: ShipmentDraft): Promise<LiveRate[]> {
  const { output } = await quote(context, draft);
  const replies = readEach(RateReply, output.rateReplyDetails, warnOf(context.log, 'rates'));
  return replies.flatMap(({ serviceType, serviceName: said, ratedShipmentDetails, ...when }) => {
    const details = readEach(RatedDetail, ratedShipmentDetails, warnOf(context.log, 'prices'));
    const price = details.find(({ rateType }) => rateType === 'ACCOUNT');
    const currency = price?.shipmentRateDetail?.currency;
    if (price?.totalNetCharge == null || !currency) return [];
    const day = (when.commit?.dateDetail?.dayFormat || when.operationalDetail?.deliveryDate || '').slice(0, 10);
    return {
      serviceCode: serviceType,
      serviceName: serviceName(serviceType, said),
      amountCents: toCents(price.totalNetCharge),
      currency,
      deliveryDate: /^\d{4}-\d{2}-\d{2}$/.test(day) ? day : null,
    };
  });
}

function quote(context: Context, draft: Question) {
  return call(
    context,
    {
      operation: 'rate',
      effect: 'read',
      method: 'POST',
      path: '/rate/v1/rates/quotes',
      body: rateBody(context.account, draft, context.now()),
    },
    RateAnswer,
  );
}

function rateBody({ accountNumber, pickupType }: Account, draft: Question, now: Date) {
  const { sender, recipient, parcels, lines } = draft;
  return {
    accountNumber: { value: accountNumber },
    rateRequestControlParameters: { returnTransitTimes: true },
    requestedShipment: {
      shipper: { address: placeOf(sender) },
      recipient: { address: placeOf(recipient) },
      shipDateStamp: wallClock(now, TIME_ZONE).date,
      pickupType,
      packagingType: 'YOUR_PACKAGING',
      rateRequestType: ['ACCOUNT'],
      requestedPackageLineItems: parcels.map((parcel, index) => ({
        groupPackageCount: 1,
        weight: weightOf(parcel.weightGrams),
        ...dimensionsOf(parcel),
        ...declaredOf(draft, index),
      })),
      ...(isInternational(draft) && lines.length > 0
        ? { customsClearanceDetail: { dutiesPayment: { paymentType: 'SENDER' }, commodities: commoditiesOf(draft) } }
        : {}),
    },
  };
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
const NO_LINES: readonly DraftLine[] = [];
const SAMPLE = {
  sender: HERE,
  recipient: { ...HERE, name: 'Destinatario', address: 'Via Nazionale 1', city: 'Roma', zip: '00184', province: 'RM' },
  parcels: [{ weightGrams: 1000, lengthMm: 100, widthMm: 100, heightMm: 100 }],
  insuredCents: null,
  lines: NO_LINES,
  currency: 'EUR',
};

/** Two reads, since there are two pairs of keys. That nothing goes there, or that nobody knows the number, says nothing. */
export async function verifyAccount(context: Context): Promise<void> {
  try {
    await quote(context, SAMPLE);
  } catch (error) {
    const isAnswer = error instanceof IntegrationError && error.kind === 'permanent';
    if (!isAnswer || error.code === 'credentials-refused') throw error;
  }
  const { refused, status } = await trackNumbers(context, [{ trackingNumber: '000000000000' }]);
  const [refusal] = refused
    .map(({ error }) => refusalOf({ refusal: [error], status }))
    .filter(({ code }) => code === 'credentials-refused');
  if (refusal) throw refusal;
}
