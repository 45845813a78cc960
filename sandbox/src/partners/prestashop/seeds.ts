/** The seed of one order: its fields, and the rows that belong to it. */
export interface OrderSeed extends Record<string, unknown> {
  customer?: Record<string, unknown>;
  /** `country` and `state` are ISO codes. */
  delivery?: Record<string, unknown>;
  /** Absent: the delivery address. */
  invoice?: Record<string, unknown>;
  order_details?: Record<string, unknown>[];
  /** Absent: one without a number. */
  order_carriers?: Record<string, unknown>[];
}

/** Returns three paid orders of invented people. */
export function seedOrders(): OrderSeed[] {
  return [
    {
      customer: { firstname: 'Carla', lastname: 'Beltrame', email: 'acquisti@beltrame.example' },
      delivery: {
        firstname: 'Carla',
        lastname: 'Beltrame',
        company: 'Cartoleria Beltrame Srl',
        vat_number: 'IT00000000000',
        address1: 'Via dei Tintori 40',
        postcode: '40126',
        city: 'Bologna',
        country: 'IT',
        state: 'BO',
        phone: '051 555010',
      },
      order_details: [detail('Risme di carta A4', 'CAR-A4', 4, ['5.00', '4.098361', '20.00', '16.39'])],
      total_paid_tax_incl: '26.100000',
      total_paid_tax_excl: '21.390000',
      total_shipping_tax_incl: '6.100000',
      total_shipping_tax_excl: '5.000000',
    },
    {
      customer: { firstname: 'Nunzia', lastname: 'Favaloro', email: 'nunzia.favaloro@example.com' },
      delivery: {
        firstname: 'Nunzia',
        lastname: 'Favaloro',
        address1: 'Via Vittorio Emanuele 12',
        postcode: '98055',
        city: 'Lipari',
        country: 'IT',
        state: 'ME',
        phone_mobile: '+39 333 5550133',
        other: 'Lasciare al bar accanto 🙂',
      },
      module: 'ps_cashondelivery',
      payment: 'Contrassegno',
      current_state: '3',
      order_details: [detail('Moka da 6 tazze', 'MOK-6', 1, ['30.50', '25.00', '30.50', '25.00'])],
      total_paid_tax_incl: '30.500000',
      total_paid_tax_excl: '25.000000',
    },
    {
      customer: { firstname: 'Piero', lastname: 'Sandrini', email: 'piero.sandrini@example.com' },
      delivery: {
        firstname: 'Piero',
        lastname: 'Sandrini',
        address1: 'Corso Francia 101',
        address2: 'Scala A',
        postcode: '10143',
        city: 'Torino',
        country: 'IT',
        state: 'TO',
        phone: '011 555030',
      },
      order_details: [
        detail('Tazza in ceramica', 'TAZ-01', 3, ['10.00', '8.196721', '30.00', '24.59']),
        detail('Piatto piano', 'PIA-01', 2, ['8.00', '6.557377', '16.00', '13.11']),
      ],
      total_paid_tax_incl: '46.000000',
      total_paid_tax_excl: '37.700000',
    },
  ];
}

function detail(product_name: string, product_reference: string, product_quantity: number, prices: string[]) {
  const [unit_price_tax_incl, unit_price_tax_excl, total_price_tax_incl, total_price_tax_excl] = prices;
  return {
    product_name,
    product_reference,
    product_quantity: String(product_quantity),
    unit_price_tax_incl,
    unit_price_tax_excl,
    total_price_tax_incl,
    total_price_tax_excl,
  };
}
