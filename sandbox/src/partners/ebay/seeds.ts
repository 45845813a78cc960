import type { PartialOrder } from '../../order-partner.ts';

const money = (value: string) => ({ value, currency: 'EUR' });

interface SeedPerson {
  username: string;
  fullName: string;
  companyName?: string;
  email: string;
  phone: string;
  addressLine1: string;
  addressLine2?: string;
  city: string;
  stateOrProvince: string;
  postalCode: string;
}

function contactOf({ username: _username, fullName, companyName, email, phone, ...place }: SeedPerson): object {
  return {
    fullName,
    ...(companyName === undefined ? {} : { companyName }),
    email,
    primaryPhone: { phoneNumber: phone },
    contactAddress: { ...place, countryCode: 'IT' },
  };
}

function orderOf(person: SeedPerson, more: { subtotal: string; delivery: string; total: string }): PartialOrder {
  const { subtotal, delivery, total } = more;
  return {
    buyer: { username: person.username, buyerRegistrationAddress: contactOf(person) },
    pricingSummary: { priceSubtotal: money(subtotal), deliveryCost: money(delivery), total: money(total) },
    fulfillmentStartInstructions: [
      {
        fulfillmentInstructionsType: 'SHIP_TO',
        shippingStep: { shipTo: contactOf(person), shippingServiceCode: 'IT_ExpressCourier' },
      },
    ],
  };
}

function itemOf(item: { title: string; sku: string; quantity: number; cost: string }): object {
  const { cost, ...rest } = item;
  return { ...rest, legacyItemId: '110000000017', lineItemCost: money(cost), listingMarketplaceId: 'EBAY_IT' };
}

/** Returns three paid orders of invented people: a company in Biella, a person on Pantelleria, and one with two lines. */
export function seedOrders(): PartialOrder[] {
  const wool: SeedPerson = {
    username: 'lanificio_prova',
    fullName: 'Aldo Crestani',
    companyName: 'Crestani Filati Srl',
    email: 'aldo.crestani@members.example',
    phone: '015 555061',
    addressLine1: 'Via Italia 180',
    city: 'Biella',
    stateOrProvince: 'BI',
    postalCode: '13900',
  };
  const island: SeedPerson = {
    username: 'zibibbo_77',
    fullName: 'Nunzia Valenza',
    email: 'nunzia.valenza@members.example',
    phone: '+39 328 5550162',
    addressLine1: 'Contrada Khamma 4',
    city: 'Pantelleria',
    stateOrProvince: 'TP',
    postalCode: '91017',
  };
  const home: SeedPerson = {
    username: 'giardino_di_bea',
    fullName: 'Beatrice Landini',
    email: 'beatrice.landini@members.example',
    phone: '+39 347 5550163',
    addressLine1: 'Via San Felice 31',
    addressLine2: 'Interno 4',
    city: 'Bologna',
    stateOrProvince: 'BO',
    postalCode: '40122',
  };
  return [
    {
      ...orderOf(wool, { subtotal: '61.00', delivery: '0.00', total: '61.00' }),
      buyer: {
        username: wool.username,
        buyerRegistrationAddress: contactOf(wool),
        taxIdentifier: { taxpayerId: 'IT00000000000', taxIdentifierType: 'VATIN', issuingCountry: 'IT' },
      },
      lineItems: [itemOf({ title: 'Aspo per filati in legno', sku: 'ASP-01', quantity: 1, cost: '61.00' })],
    },
    {
      ...orderOf(island, { subtotal: '29.90', delivery: '8.50', total: '38.40' }),
      buyerCheckoutNotes: 'Consegnare al porto 🚢',
      lineItems: [itemOf({ title: 'Lampada da campeggio', sku: 'LAM-9', quantity: 1, cost: '29.90' })],
    },
    {
      ...orderOf(home, { subtotal: '47.50', delivery: '5.90', total: '53.40' }),
      lineItems: [
        itemOf({ title: 'Vaso in terracotta 18 cm', sku: 'VAS-18', quantity: 3, cost: '28.50' }),
        itemOf({ title: 'Terriccio universale 10 l', sku: 'TER-10', quantity: 2, cost: '19.00' }),
      ],
    },
  ];
}
