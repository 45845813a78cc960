import type { PartialOrder } from '../../order-partner.ts';

const VAT = { code: 'IVA-22', rate: 22, tax_calculation_rule: 'PROPORTIONAL_TO_AMOUNT' };

function lineOf(line: {
  product_title: string;
  offer_sku: string;
  quantity: number;
  price: number;
  vat: number;
}): object {
  const { vat, ...rest } = line;
  return {
    ...rest,
    product_sku: `OP-${line.offer_sku}`,
    price_unit: line.price / line.quantity,
    shipping_price: 0,
    total_price: line.price,
    taxes: [{ ...VAT, amount: vat }],
  };
}

function customerOf(firstname: string, lastname: string, address: Record<string, string>, more: object = {}): object {
  const place = { firstname, lastname, country: 'Italia', country_iso_code: 'ITA', ...address };
  const { additional_info: _info, ...billing_address } = place as Record<string, string>;
  return { customer_id: `c-${lastname}`, firstname, lastname, shipping_address: place, billing_address, ...more };
}

/** Returns three orders of invented people that wait to be shipped: a company in Como, a person on Ponza, and one with two lines. */
export function seedOrders(): PartialOrder[] {
  return [
    {
      customer: customerOf(
        'Marisa',
        'Colnaghi',
        {
          company: 'Colnaghi Sete Srl',
          street_1: 'Via Regina 40',
          city: 'Como',
          state: 'CO',
          zip_code: '22100',
          phone: '031 555082',
        },
        { organization: { name: 'Colnaghi Sete Srl', tax_identification_number: 'IT00000000000' } },
      ),
      customer_notification_email: 'notifica+a1@operator.example',
      price: 61,
      total_price: 61,
      order_lines: [lineOf({ product_title: 'Telaio da ricamo', offer_sku: 'TEL-1', quantity: 1, price: 61, vat: 11 })],
    },
    {
      customer: customerOf('Silverio', 'Migliaccio', {
        street_1: 'Via Chiaia di Luna 3',
        city: 'Ponza',
        state: 'LT',
        zip_code: '04027',
        phone: '+39 320 5550181',
        additional_info: 'Lasciare al bar del porto ⚓',
      }),
      customer_notification_email: 'notifica+b2@operator.example',
      price: 24.4,
      shipping_price: 6.1,
      total_price: 30.5,
      order_lines: [
        {
          ...lineOf({ product_title: 'Maschera da sub', offer_sku: 'MAS-2', quantity: 1, price: 24.4, vat: 4.4 }),
          shipping_price: 6.1,
          shipping_taxes: [{ ...VAT, amount: 1.1 }],
          total_price: 30.5,
        },
      ],
    },
    {
      customer: customerOf('Teresa', 'Bonfanti', {
        street_1: 'Viale Papiniano 22',
        street_2: 'Scala B',
        city: 'Milano',
        state: 'MI',
        zip_code: '20123',
        phone: '+39 347 5550182',
      }),
      customer_notification_email: 'notifica+c3@operator.example',
      price: 73.2,
      total_price: 73.2,
      order_lines: [
        lineOf({ product_title: 'Barattolo in vetro 1 l', offer_sku: 'BAR-1', quantity: 3, price: 36.6, vat: 6.6 }),
        lineOf({ product_title: 'Tagliere in ulivo', offer_sku: 'TAG-2', quantity: 2, price: 36.6, vat: 6.6 }),
      ],
    },
  ];
}
