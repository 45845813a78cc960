import type { LiveRate, ShipmentDraft } from '../carriers/adapter.ts';
import { type KeptRate, LiveRateAnswer } from '../db/entities/index.ts';
import type { Em } from '../db/orm.ts';
import { canonical } from '../lib/canonical.ts';
import { sha256 } from '../lib/crypto.ts';

/** Carriers change prices daily and limit requests, so an answer is cached for a quarter of an hour. */
export const RATES_FRESH_MS = 15 * 60_000;

/** An answer of a carrier, and its time. */
export interface RatesAnswer {
  rates: KeptRate[];
  askedAt: Date;
}

/** Returns a hash of everything in a draft that a price depends on. Names and streets do not matter and are not stored. */
export function rateQuestion(draft: ShipmentDraft): string {
  const place = ({ zip, city, province, countryCode }: ShipmentDraft['recipient']) => [
    zip,
    city,
    province,
    countryCode,
  ];
  const { parcels, cod, insuredCents, lines, currency, pickupPointId, options } = draft;
  const question = { parcels, cod, insuredCents, lines, currency, pickupPointId, options };
  const ends = { from: place(draft.sender), to: place(draft.recipient), isCompany: draft.recipient.company !== '' };
  return sha256(canonical({ ...question, ...ends }));
}

/** Stores an answer in place of an older one for the same hash. */
export async function keepRates(
  em: Em,
  answer: { companyId: number; contractId: number; draft: ShipmentDraft; rates: readonly LiveRate[]; askedAt: Date },
): Promise<void> {
  await em.execute(
    `insert into live_rates (company_id, contract_id, question, rates, asked_at) values (?, ?, ?, ?::jsonb, ?)
     on conflict (contract_id, question) do update set rates = excluded.rates, asked_at = excluded.asked_at
       where live_rates.company_id = excluded.company_id`,
    [answer.companyId, answer.contractId, rateQuestion(answer.draft), JSON.stringify(answer.rates), answer.askedAt],
  );
}

/** Reads the answers that are still valid, by contract. */
export async function freshRates(
  em: Em,
  { questions, now }: { questions: readonly { contractId: number; question: string }[]; now: Date },
): Promise<Map<number, RatesAnswer>> {
  if (questions.length === 0) return new Map();
  const since = new Date(now.getTime() - RATES_FRESH_MS);
  const kept = await em.find(LiveRateAnswer, { $or: [...questions], askedAt: { $gt: since } });
  return new Map(kept.map(({ contractId, rates, askedAt }) => [contractId, { rates, askedAt }]));
}
