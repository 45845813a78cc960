import type { PartialOrder } from '../../order-partner.ts';

const money = (amount: string) => ({ amount, currencyCode: 'EUR' });

interface SeedItem {
  title: string;
  sellerSku: string;
  quantity: number;
  /** Without tax. */
  goods: string;
  goodsTax: string;
  shipping?: string;
  shippingTax?: string;
  total: string;
  tax: string;
  unitPrice: string;
}

function itemOf(seed: SeedItem): object {
  const { title, sellerSku, quantity, shipping = '0.00', shippingTax = '0.00' } = seed;
  return {
    quantityOrdered: quantity,
    product: { asin: 'B000000000', title, sellerSku, price: { unitPrice: money(seed.unitPrice) } },
    proceeds: {
      proceedsTotal: money(seed.total),
      breakdowns: [
        { type: 'ITEM', subtotal: money(seed.goods) },
        { type: 'SHIPPING', subtotal: money(shipping) },
        {
          type: 'TAX',
          subtotal: money(seed.tax),
          detailedBreakdowns: [
            { subtype: 'ITEM', value: money(seed.goodsTax) },
            { subtype: 'SHIPPING', value: money(shippingTax) },
          ],
        },
      ],
    },
  };
}

const PAID = { paymentExecutions: [{ paymentMethod: 'CreditCard' }] };

/** Returns three paid orders of invented people: a company in Prato, a person on Lipari, and one with two lines. */
export function seedOrders(): PartialOrder[] {
  return [
    {
      programs: ['AMAZON_BUSINESS'],
      buyer: {
        buyerName: 'Ornella Vignali',
        buyerEmail: 'p1q2@marketplace.example',
        buyerCompanyName: 'Vignali Tessuti Srl',
      },
      recipient: {
        deliveryAddress: {
          name: 'Ornella Vignali',
          companyName: 'Vignali Tessuti Srl',
          addressLine1: 'Via dei Telai 12',
          city: 'Prato',
          stateOrRegion: 'PO',
          postalCode: '59100',
          countryCode: 'IT',
          phone: '0574 555031',
          addressType: 'COMMERCIAL',
        },
      },
      tax: {
        taxRegistrations: [
          {
            entityType: 'BUYER',
            legalName: 'Vignali Tessuti Srl',
            taxRegistrationType: 'VAT',
            taxRegistrationNumber: 'IT00000000000',
          },
        ],
      },
      payment: PAID,
      proceeds: { grandTotal: money('48.80') },
      orderItems: [
        itemOf({
          title: 'Forbici da sarto 21 cm',
          sellerSku: 'FOR-21',
          quantity: 2,
          goods: '40.00',
          goodsTax: '8.80',
          total: '48.80',
          tax: '8.80',
          unitPrice: '20.00',
        }),
      ],
    },
    {
      buyer: { buyerName: 'Nunzio Biviano', buyerEmail: 'r3s4@marketplace.example' },
      recipient: {
        deliveryAddress: {
          name: 'Nunzio Biviano',
          addressLine1: 'Contrada Pianoconte 5',
          city: 'Lipari',
          stateOrRegion: 'ME',
          postalCode: '98055',
          countryCode: 'IT',
          phone: '+39 333 5550144',
          addressType: 'RESIDENTIAL',
        },
        deliveryPreference: { addressInstruction: 'Suonare al cancello verde' },
      },
      payment: PAID,
      proceeds: { grandTotal: money('36.60') },
      orderItems: [
        itemOf({
          title: 'Lampada da lettura',
          sellerSku: 'LAM-1',
          quantity: 1,
          goods: '25.00',
          goodsTax: '5.50',
          shipping: '5.00',
          shippingTax: '1.10',
          total: '36.60',
          tax: '6.60',
          unitPrice: '25.00',
        }),
      ],
    },
    {
      buyer: { buyerName: 'Fabrizia Lunghi', buyerEmail: 't5u6@marketplace.example' },
      recipient: {
        deliveryAddress: {
          name: 'Fabrizia Lunghi',
          addressLine1: 'Via Ippolito Nievo 77',
          addressLine2: 'Scala C, interno 4',
          city: 'Padova',
          stateOrRegion: 'PD',
          postalCode: '35122',
          countryCode: 'IT',
          phone: '+39 340 5550166',
          addressType: 'RESIDENTIAL',
        },
      },
      payment: PAID,
      proceeds: { grandTotal: money('61.00') },
      orderItems: [
        itemOf({
          title: 'Quaderno a righe, 5 pezzi',
          sellerSku: 'QUA-5',
          quantity: 3,
          goods: '30.00',
          goodsTax: '6.60',
          total: '36.60',
          tax: '6.60',
          unitPrice: '10.00',
        }),
        itemOf({
          title: 'Astuccio in tela',
          sellerSku: 'AST-1',
          quantity: 2,
          goods: '20.00',
          goodsTax: '4.40',
          total: '24.40',
          tax: '4.40',
          unitPrice: '10.00',
        }),
      ],
    },
  ];
}
