export type Row = Record<string, unknown> & { id: number };

/** The resources of the pretend shop: their singular, and the fields that can be read, filtered and sorted. */
export const RESOURCES: Readonly<Record<string, { element: string; fields: readonly string[] }>> = {
  orders: {
    element: 'order',
    fields: [
      'id',
      'id_address_delivery',
      'id_address_invoice',
      'id_currency',
      'id_customer',
      'id_carrier',
      'current_state',
      'module',
      'valid',
      'date_add',
      'date_upd',
      'note',
      'payment',
      'total_paid',
      'total_paid_tax_incl',
      'total_paid_tax_excl',
      'total_shipping_tax_incl',
      'total_shipping_tax_excl',
      'reference',
    ],
  },
  order_details: {
    element: 'order_detail',
    fields: [
      'id',
      'id_order',
      'product_id',
      'product_name',
      'product_reference',
      'product_quantity',
      'product_quantity_return',
      'product_quantity_refunded',
      'unit_price_tax_incl',
      'unit_price_tax_excl',
      'total_price_tax_incl',
      'total_price_tax_excl',
    ],
  },
  order_carriers: {
    element: 'order_carrier',
    fields: [
      'id',
      'id_order',
      'id_carrier',
      'id_order_invoice',
      'weight',
      'shipping_cost_tax_excl',
      'shipping_cost_tax_incl',
      'tracking_number',
      'date_add',
    ],
  },
  order_histories: {
    element: 'order_history',
    fields: ['id', 'id_employee', 'id_order_state', 'id_order', 'date_add'],
  },
  order_states: {
    element: 'order_state',
    fields: ['id', 'delivery', 'hidden', 'send_email', 'module_name', 'shipped', 'paid', 'deleted', 'name', 'template'],
  },
  addresses: {
    element: 'address',
    fields: [
      'id',
      'id_customer',
      'id_country',
      'id_state',
      'company',
      'lastname',
      'firstname',
      'vat_number',
      'address1',
      'address2',
      'postcode',
      'city',
      'other',
      'phone',
      'phone_mobile',
      'dni',
    ],
  },
  customers: { element: 'customer', fields: ['id', 'firstname', 'lastname', 'email'] },
  carriers: { element: 'carrier', fields: ['id', 'id_reference', 'name', 'url', 'deleted'] },
  countries: { element: 'country', fields: ['id', 'iso_code', 'name'] },
  states: { element: 'state', fields: ['id', 'id_country', 'iso_code', 'name'] },
  currencies: { element: 'currency', fields: ['id', 'iso_code', 'name'] },
  products: { element: 'product', fields: ['id', 'is_virtual', 'reference'] },
};

/** Returns the tables of a new shop. Flags are text, and names come in two languages. */
export function fixedTables(): Record<string, Row[]> {
  const state = (id: number, name: string, template: string, flags: string, module_name = '') => ({
    id,
    delivery: flags[2],
    hidden: '0',
    send_email: template === '' ? '0' : '1',
    module_name,
    paid: flags[0],
    shipped: flags[1],
    deleted: '0',
    name: bilingual(name),
    template: bilingual(template),
  });
  return {
    order_states: [
      state(1, 'Awaiting check payment', 'cheque', '000', 'ps_checkpayment'),
      state(2, 'Payment accepted', 'payment', '100'),
      state(3, 'Processing in progress', 'preparation', '101'),
      state(4, 'Shipped', 'shipped', '111'),
      state(5, 'Delivered', '', '111'),
      state(6, 'Canceled', 'order_canceled', '000'),
      state(7, 'Refunded', 'refund', '000'),
      state(8, 'Payment error', 'payment_error', '000'),
      state(13, 'Awaiting Cash On Delivery validation', 'cashondelivery', '000', 'ps_cashondelivery'),
    ],
    carriers: [
      { id: 2, id_reference: '2', name: 'Corriere espresso', url: 'https://track.example/?n=@', deleted: '0' },
      { id: 3, id_reference: '3', name: 'Ritiro in negozio', url: '', deleted: '0' },
    ],
    countries: [
      { id: 8, iso_code: 'FR', name: bilingual('France') },
      { id: 10, iso_code: 'IT', name: bilingual('Italy') },
    ],
    states: ['AG', 'BO', 'ME', 'MI', 'RM', 'TO'].map((iso_code, index) => ({
      id: 123 + index,
      id_country: '10',
      iso_code,
      name: iso_code,
    })),
    products: [
      { id: 31, is_virtual: '0', reference: 'TAZ' },
      { id: 32, is_virtual: '1', reference: 'EBOOK' },
    ],
    currencies: [
      { id: 1, iso_code: 'EUR', name: 'Euro' },
      { id: 2, iso_code: 'CHF', name: 'Swiss franc' },
    ],
  };
}

function bilingual(value: string): { id: string; value: string }[] {
  return ['1', '2'].map((id) => ({ id, value }));
}
