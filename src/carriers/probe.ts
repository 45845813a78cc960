import { IntegrationError } from '../lib/errors.ts';
import type { Party } from './adapter.ts';

const SENDER: Party = {
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

/** A parcel from Milan to Rome, to prove credentials by asking for its price. */
export const SAMPLE = {
  sender: SENDER,
  recipient: {
    ...SENDER,
    name: 'Destinatario',
    address: 'Via Nazionale 1',
    city: 'Roma',
    zip: '00184',
    province: 'RM',
  },
  parcels: [{ weightGrams: 1000, lengthMm: 100, widthMm: 100, heightMm: 100 }],
  insuredCents: null,
  currency: 'EUR',
};

/** Throws when the account is refused. Another no passes: a carrier that does not serve the sample knew the account. */
export async function probe(ask: () => Promise<unknown>): Promise<void> {
  try {
    await ask();
  } catch (error) {
    const isAnswer = error instanceof IntegrationError && error.kind === 'permanent';
    if (!isAnswer || error.code === 'credentials-refused') throw error;
  }
}

/** Returns the day of an offer's delivery as YYYY-MM-DD; null when the text does not begin with one. */
export function deliveryDay(text: string): string | null {
  const [, year, month, day] = /^(\d{4})-?(\d{2})-?(\d{2})(?!\d)/.exec(text) ?? [];
  return year === undefined ? null : `${year}-${month}-${day}`;
}
