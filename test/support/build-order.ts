/** Builds a complete order body; `overrides` replaces top-level fields. */
export function buildOrder(overrides: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    customer: { full_name: 'Chiara Prova', email: 'chiara@example.com', phone: '0510000002' },
    billing: {
      company: '',
      address: 'Via Emilia, 1',
      city: 'Bologna',
      province: 'BO',
      zip: '40121',
      country_code: 'IT',
    },
    shipping: {
      full_name: 'Chiara Prova',
      address: 'Via Torino, 5',
      city: 'Milano',
      province: 'MI',
      zip: '20123',
      country_code: 'IT',
      phone: '0200000001',
    },
    items: [{ sku: 'MUG-01', name: 'Tazza in ceramica', quantity: 2, price: 12.5 }],
    shipping_cost: 5.9,
    insurance: false,
    payment_method: 'PREPAID',
    note: 'Citofonare Prova',
    ...overrides,
  };
}

/** Builds the same order to an address whose words make the simulated carrier act; see docs/sandbox.md. */
export function buildOrderTo(address: string, overrides: Record<string, unknown> = {}): Record<string, unknown> {
  const order = buildOrder(overrides);
  return { ...order, shipping: { ...(order.shipping as object), address } };
}
