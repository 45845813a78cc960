import { wallClock } from '../../lib/clock.ts';
import { toCents } from '../../lib/decimal.ts';
import { readEach, warnOf } from '../../lib/read-each.ts';
import type { CarrierContext, LiveRate, ShipmentDraft } from '../adapter.ts';
import { deliveryDay, probe, SAMPLE } from '../probe.ts';
import { commoditiesOf, isInternational } from './customs.ts';
import { declaredOf, TIME_ZONE } from './mapping.ts';
import { dimensionsOf, placeOf, weightOf } from './parties.ts';
import { refusalOf } from './refusals.ts';
import { type Account, RateAnswer, RatedDetail, RateReply } from './schema.ts';
import { serviceName } from './services.ts';
import { trackNumbers } from './tracking.ts';
import { call } from './wire.ts';

type Context = CarrierContext<Account>;
type Question = Pick<ShipmentDraft, keyof typeof SAMPLE | 'lines'>;

/** Lists the account's price of every service that FedEx would take this draft with. */
export async function rates(context: Context, draft: ShipmentDraft): Promise<LiveRate[]> {
  const { output } = await quote(context, draft);
  const replies = readEach(RateReply, output.rateReplyDetails, warnOf(context.log, 'rates'));
  return replies.flatMap(({ serviceType, serviceName: said, ratedShipmentDetails, ...when }) => {
    const details = readEach(RatedDetail, ratedShipmentDetails, warnOf(context.log, 'prices'));
    const price = details.find(({ rateType }) => rateType === 'ACCOUNT');
    const currency = price?.shipmentRateDetail?.currency;
    if (price?.totalNetCharge == null || !currency) return [];
    const day = when.commit?.dateDetail?.dayFormat || when.operationalDetail?.deliveryDate || '';
    return {
      serviceCode: serviceType,
      serviceName: serviceName(serviceType, said),
      amountCents: toCents(price.totalNetCharge),
      currency,
      deliveryDate: deliveryDay(day),
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

/** Reads twice, since there are two pairs of keys. An unknown number says nothing. */
export async function verifyAccount(context: Context): Promise<void> {
  await probe(() => quote(context, { ...SAMPLE, lines: [] }));
  const { refused, status } = await trackNumbers(context, [{ trackingNumber: '000000000000' }]);
  const [refusal] = refused
    .map(({ error }) => refusalOf({ refusal: [error], status }))
    .filter(({ code }) => code === 'credentials-refused');
  if (refusal) throw refusal;
}
