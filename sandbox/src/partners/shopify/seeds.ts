/** The fields of an order that a test or a person gives; the others are those of an ordinary paid one. */
export type PartialOrder = Record<string, unknown> & { lineItems?: Record<string, unknown>[] };

/** Returns three orders of invented people: a company, an island, and two lines in several pieces. One is paid on delivery. */
export function seedOrders(): PartialOrder[] {
  const torneria = {
    name: 'Elena Brandi',
    company: 'Torneria Brandi Srl',
    address1: 'Via dei Tornitori 41',
    address2: '',
    city: 'Brescia',
    zip: '25125',
    province: 'Brescia',
    provinceCode: 'BS',
    countryCodeV2: 'IT',
    phone: '030 5550140',
  };
  const isola = {
    name: 'Salvo Mancuso',
    company: '',
    address1: 'Via Vittorio Emanuele 9',
    address2: 'c/o Edicola del Porto',
    city: 'Lampedusa e Linosa',
    zip: '92031',
    province: 'Agrigento',
    provinceCode: 'AG',
    countryCodeV2: 'IT',
    phone: '+39 328 5550141',
  };
  const ada = {
    name: 'Ada Colombini',
    company: '',
    address1: 'Via San Vitale 77',
    address2: 'Piano 3',
    city: 'Bologna',
    zip: '40125',
    province: 'Bologna',
    provinceCode: 'BO',
    countryCodeV2: 'IT',
    phone: '+39 347 5550142',
  };
  return [
    {
      email: 'acquisti@torneriabrandi.example',
      billingAddress: torneria,
      shippingAddress: torneria,
      taxCode: '01234560171',
      lineItems: [{ name: 'Lampada da banco - Nera', sku: 'LAM-N', quantity: 1, unitPrice: '89.90' }],
    },
    {
      email: 'salvo.mancuso@example.com',
      billingAddress: isola,
      shippingAddress: isola,
      note: 'Lasciare all’edicola 🐚',
      shippingPrice: '9.90',
      lineItems: [{ name: 'Maschera subacquea', sku: 'MAS-1', quantity: 1, unitPrice: '34.50' }],
    },
    {
      email: 'ada.colombini@example.com',
      billingAddress: ada,
      shippingAddress: ada,
      shippingPrice: '5.00',
      displayFinancialStatus: 'PENDING',
      paymentGatewayNames: ['Cash on Delivery (COD)'],
      lineItems: [
        { name: 'Piatto fondo', sku: 'PIA-F', quantity: 6, unitPrice: '7.50' },
        { name: 'Tovaglia di lino - 140 x 240', sku: 'TOV-L', quantity: 2, unitPrice: '42.00', locationId: 72 },
      ],
    },
  ];
}
