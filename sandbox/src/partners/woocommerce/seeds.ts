import type { PartialOrder } from '../../order-partner.ts';

/** Returns three paid orders of invented people; the shop numbers their `line_items`. */
export function seedOrders(): PartialOrder[] {
  const giulia = {
    first_name: 'Giulia',
    last_name: 'Ferraris',
    company: '',
    address_1: 'Via dei Glicini 14',
    address_2: 'Scala B, interno 7',
    city: 'Torino',
    state: 'TO',
    postcode: '10139',
    country: 'IT',
    phone: '+39 333 5550101',
  };
  const officina = {
    first_name: 'Matteo',
    last_name: 'Bellandi',
    company: 'Officina Bellandi Srl',
    address_1: 'Viale della Repubblica 220',
    address_2: '',
    city: 'Prato',
    state: 'PO',
    postcode: '59100',
    country: 'IT',
    phone: '0574 555020',
  };
  const rosaria = {
    first_name: 'Rosaria',
    last_name: "D'Amico",
    company: '',
    address_1: 'Piazza San Calogero 3',
    address_2: '',
    city: 'Sciacca',
    state: 'AG',
    postcode: '92019',
    country: 'IT',
    phone: '+39 328 5550103',
  };
  return [
    {
      billing: { ...giulia, email: 'giulia.ferraris@example.com' },
      shipping: giulia,
      line_items: [
        {
          name: 'Caffettiera 3 tazze',
          product_id: 31,
          variation_id: 0,
          quantity: 1,
          sku: 'CAF-3',
          total: '24.51',
          total_tax: '5.39',
          price: 24.51,
        },
        {
          name: 'Miscela arabica 250 g',
          product_id: 32,
          variation_id: 0,
          quantity: 2,
          sku: 'ARA-250',
          total: '12.62',
          total_tax: '1.26',
          price: 6.31,
        },
      ],
      shipping_lines: [{ id: 901, method_title: 'Corriere espresso', method_id: 'flat_rate', total: '5.66' }],
      shipping_total: '5.66',
      shipping_tax: '1.24',
      total: '50.68',
      total_tax: '7.89',
      payment_method: 'stripe',
      payment_method_title: 'Carta di credito',
      customer_note: 'Citofonare Ferraris, grazie 🙂',
    },
    {
      billing: { ...officina, email: 'acquisti@bellandi.example' },
      // Bought to the billing address: the platform then leaves the shipping address empty.
      shipping: {},
      line_items: [
        {
          name: 'Guanti da lavoro, 12 paia',
          product_id: 44,
          variation_id: 0,
          quantity: 3,
          sku: 'GUA-12',
          total: '59.02',
          total_tax: '12.98',
          price: 19.673333,
        },
      ],
      shipping_lines: [{ id: 902, method_title: 'Spedizione gratuita', method_id: 'free_shipping', total: '0.00' }],
      total: '72.00',
      total_tax: '12.98',
    },
    {
      billing: { ...rosaria, email: 'rosaria.damico@example.com' },
      shipping: rosaria,
      line_items: [
        {
          name: 'Vaso in ceramica dipinto a mano',
          product_id: 57,
          variation_id: 571,
          quantity: 1,
          sku: 'VAS-BLU',
          total: '40.16',
          total_tax: '8.84',
          price: 40.16,
        },
      ],
      shipping_lines: [{ id: 903, method_title: 'Corriere espresso', method_id: 'flat_rate', total: '8.20' }],
      shipping_total: '8.20',
      shipping_tax: '1.80',
      total: '59.00',
      total_tax: '10.64',
      payment_method: 'cod',
      payment_method_title: 'Contrassegno',
    },
  ];
}
