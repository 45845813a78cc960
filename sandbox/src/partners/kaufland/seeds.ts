import type { PartialOrder } from '../../order-partner.ts';

const COMPANY = {
  first_name: 'Ennio',
  last_name: 'Garzanelli',
  company_name: 'Garzanelli Ferramenta Srl',
  street: 'Via Emilia Ponente',
  house_number: '212',
  postcode: '40133',
  additional_field: null,
  city: 'Bologna',
  phone: '051 555072',
  country: 'IT',
};
const ISLAND = {
  first_name: 'Assunta',
  last_name: 'Pellerito',
  company_name: null,
  street: 'Via Roma',
  house_number: '18',
  postcode: '92031',
  additional_field: 'vicino al porto',
  city: 'Lampedusa',
  phone: '+39 328 5550172',
  country: 'IT',
};
const HOME = {
  first_name: 'Tiziano',
  last_name: 'Morelato',
  company_name: null,
  street: 'Via Giosuè Carducci',
  house_number: '9/B',
  postcode: '37129',
  additional_field: null,
  city: 'Verona',
  phone: null,
  country: 'IT',
};

function orderOf(address: object, buyer: object, order_units: object[]): PartialOrder {
  return { billing_address: address, shipping_address: address, buyer, order_units };
}

function unitOf(unit: { title: string; id_offer: string; price: number; shipping_rate: number }): object {
  const { title, ...rest } = unit;
  return { ...rest, product: { id_product: 362500001, storefront: 'it', title, eans: ['4000000000017'] } };
}

/** Returns three orders of invented people: a company, a person on Lampedusa, and one of two products, three pieces in all. */
export function seedOrders(): PartialOrder[] {
  const vase = { title: 'Vaso da balcone 40 cm', id_offer: 'VAS-40', price: 1450 };
  return [
    orderOf(COMPANY, { id_buyer: 21630001, email: 'buyer-1@kaufland.example' }, [
      unitOf({ title: 'Trapano a percussione', id_offer: 'TRA-700', price: 8990, shipping_rate: 0 }),
    ]),
    orderOf(ISLAND, { id_buyer: 21630002, email: 'buyer-2@kaufland.example' }, [
      unitOf({ title: 'Ombrellone da spiaggia', id_offer: 'OMB-2', price: 3490, shipping_rate: 790 }),
    ]),
    orderOf(HOME, { id_buyer: 21630003, email: 'buyer-3@kaufland.example' }, [
      unitOf({ ...vase, shipping_rate: 590 }),
      unitOf({ ...vase, shipping_rate: 0 }),
      unitOf({ title: 'Annaffiatoio 5 l', id_offer: 'ANN-5', price: 990, shipping_rate: 0 }),
    ]),
  ];
}
