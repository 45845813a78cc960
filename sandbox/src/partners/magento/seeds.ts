/** Any part of the platform's order; `isBroken` makes it one that the interface cannot render. */
export type PartialOrder = Record<string, unknown>;

/** Returns three paid orders of invented people: a company, an island, and two lines of which parts can be shipped. */
export function seedOrders(): PartialOrder[] {
  const company = {
    firstname: 'Elena',
    lastname: 'Zambelli',
    company: 'Zambelli Forniture Srl',
    vat_id: 'IT00000000000',
    street: ['Via delle Industrie 41'],
    city: 'Modena',
    region: 'Modena',
    region_code: 'MO',
    postcode: '41122',
    country_id: 'IT',
    telephone: '059 5550144',
    email: 'ordini@zambelli.example',
  };
  const islander = {
    firstname: 'Salvatore',
    lastname: 'Cannavale',
    company: null,
    street: ['Via Roma 9', 'Piano terra'],
    city: 'Favignana',
    region: 'Trapani',
    region_code: 'TP',
    postcode: '91023',
    country_id: 'IT',
    telephone: '+39 333 5550145',
    email: 'salvatore.cannavale@example.com',
  };
  const parts = {
    firstname: 'Chiara',
    lastname: 'Bonfanti',
    company: null,
    street: ['Corso Sempione 77', 'Citofono 12'],
    city: 'Milano',
    region: 'Milano',
    region_code: 'MI',
    postcode: '20154',
    country_id: 'IT',
    telephone: '+39 333 5550146',
    email: 'chiara.bonfanti@example.com',
  };
  return [
    {
      ...buyer(company),
      ...amounts({ goods: 81.97, tax: 18.03 }),
      payment: { method: 'banktransfer' },
      items: [line({ sku: 'CAV-10', name: 'Cavo di rete 10 m', qty_ordered: 4, row_total: 81.97, tax_amount: 18.03 })],
    },
    {
      ...buyer(islander),
      ...amounts({ goods: 32.79, tax: 7.21, shipping: 8.2, shippingTax: 1.8 }),
      // Paid to the courier: neither invoiced nor in process yet.
      state: 'new',
      total_due: 50,
      payment: { method: 'cashondelivery' },
      items: [line({ sku: 'LAM-1', name: 'Lampada da tavolo', qty_ordered: 1, row_total: 32.79, tax_amount: 7.21 })],
    },
    {
      ...buyer(parts),
      ...amounts({ goods: 57.38, tax: 12.62, shipping: 4.92, shippingTax: 1.08 }),
      payment: { method: 'paypal_express' },
      customer_note: 'Lasciare in portineria, grazie 🙏',
      items: [
        line({ sku: 'BIC-6', name: 'Bicchiere da acqua', qty_ordered: 3, row_total: 36.89, tax_amount: 8.11 }),
        line({ sku: 'CAR-1', name: 'Caraffa in vetro', qty_ordered: 2, row_total: 20.49, tax_amount: 4.51 }),
      ],
    },
  ];
}

function buyer(address: { firstname: string; lastname: string; email: string }): PartialOrder {
  return {
    customer_firstname: address.firstname,
    customer_lastname: address.lastname,
    customer_email: address.email,
    billing_address: { ...address, address_type: 'billing' },
    extension_attributes: {
      shipping_assignments: [
        { shipping: { address: { ...address, address_type: 'shipping' }, method: 'flatrate_flatrate' }, items: [] },
      ],
    },
  };
}

function amounts(of: { goods: number; tax: number; shipping?: number; shippingTax?: number }): PartialOrder {
  const { goods, tax, shipping = 0, shippingTax = 0 } = of;
  const cents = (amount: number): number => Math.round(amount * 100) / 100;
  return {
    subtotal: goods,
    shipping_amount: shipping,
    shipping_tax_amount: shippingTax,
    tax_amount: cents(tax + shippingTax),
    grand_total: cents(goods + tax + shipping + shippingTax),
    total_due: 0,
  };
}

function line(fields: Record<string, unknown>): Record<string, unknown> {
  return { discount_amount: 0, discount_tax_compensation_amount: 0, ...fields };
}
