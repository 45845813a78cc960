import { centsToString } from '../../../lib/decimal.ts';
import type { LiveRate } from '../../../usecases/quotes/request-live-rates.ts';
import { answerTo } from '../../http/operation-reply.ts';
import type { OperationBody } from '../../http/route.ts';

function liveRatesBody(answer: Record<string, unknown> | null) {
  const rates = (answer?.rates ?? []) as LiveRate[];
  return rates
    .toSorted((a, b) => a.amountCents - b.amountCents)
    .map(({ serviceCode, serviceName, amountCents, currency, deliveryDate }) => ({
      service_code: serviceCode,
      service_name: serviceName,
      price: centsToString(amountCents),
      currency,
      delivery_date: deliveryDate,
      as_of: answer?.askedAt ?? null,
    }));
}

export const quoteBodies = {
  'live-rates': (_deps, view) => liveRatesBody(answerTo(view)),
} satisfies Record<string, OperationBody>;
