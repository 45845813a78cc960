import type { Party, ShipmentDraft } from '../../src/carriers/adapter.ts';

export function buildParty(overrides: Partial<Party> = {}): Party {
  return {
    name: 'Anna Bianchi',
    company: '',
    address: 'Via Roma 12',
    address2: '',
    city: 'Milano',
    zip: '20121',
    province: 'MI',
    countryCode: 'IT',
    phone: '+39 333 1234567',
    email: 'anna@example.com',
    ...overrides,
  };
}

/** Returns a draft that every Italian carrier takes. */
export function buildDraft(overrides: Partial<ShipmentDraft> = {}): ShipmentDraft {
  return {
    reference: 'SM0000042',
    serial: 42,
    orderNumber: '2026-0007',
    isReturn: false,
    sender: buildParty({ name: 'Bottega Srl', company: 'Bottega Srl', city: 'Roma', zip: '00185', province: 'RM' }),
    recipient: buildParty(),
    parcels: [{ weightGrams: 1200, lengthMm: 300, widthMm: 200, heightMm: 100 }],
    cod: null,
    insuredCents: null,
    contents: 'Abbigliamento',
    lines: [
      {
        sku: 'MUG-01',
        description: 'Tazza in ceramica',
        quantity: 2,
        unitValueCents: 1025,
        weightGrams: 500,
        commodityCode: '69120023',
        originCountry: 'IT',
      },
    ],
    currency: 'EUR',
    pickupPointId: null,
    note: '',
    options: [],
    labelFormat: 'pdf-a6',
    ...overrides,
  };
}

/** Returns the same draft on its way back. */
export function buildReturn(overrides: Partial<ShipmentDraft> = {}): ShipmentDraft {
  const { sender, recipient } = buildDraft();
  return buildDraft({ isReturn: true, sender: recipient, recipient: sender, ...overrides });
}
