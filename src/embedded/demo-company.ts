import { demoContracts } from './demo-contracts.ts';

/** A small shop in Bologna with everything set up against the sandbox; the document `smista apply` would read. */
export function demoCompany(sandboxUrl: string): unknown {
  return {
    companies: [
      {
        key: 'demo',
        name: 'Bottega Aurora S.r.l.',
        address: 'Via dei Mille 7',
        postal_code: '40121',
        city: 'Bologna',
        province: 'BO',
        vat_number: 'IT00000000000',
        phone: '0510000000',
        email: 'magazzino@bottega-aurora.example',
        warehouses: [
          {
            key: 'bologna',
            name: 'Magazzino Bologna',
            address: 'Via del Lavoro 12',
            city: 'Bologna',
            province: 'BO',
            zip: '40127',
            phone: '0510000001',
            default: true,
          },
        ],
        products: [
          {
            sku: 'MUG-01',
            title: 'Tazza in ceramica',
            weight_kg: 0.4,
            length_cm: 12,
            width_cm: 10,
            height_cm: 10,
            commodity_code: '69120023',
            origin_country: 'IT',
          },
          {
            sku: 'OIL-05',
            title: "Olio d'oliva 5 l",
            weight_kg: 5.2,
            length_cm: 30,
            width_cm: 20,
            height_cm: 15,
            commodity_code: '15092000',
            origin_country: 'IT',
          },
        ],
        tariffs: [
          {
            key: 'gls-2026',
            name: 'GLS Italia 2026',
            rounding: 1000,
            zones: [
              {
                code: 'ISOLE',
                name: 'Sicilia, Sardegna e Calabria',
                match: { areas: ['ISLANDS'], regions: ['CAL'] },
                sale: {
                  brackets: [
                    { upToGrams: 3000, price: '8.90' },
                    { upToGrams: 10000, price: '12.50' },
                    { upToGrams: 30000, price: '19.90' },
                  ],
                  stepGrams: 10000,
                  stepPrice: '5.50',
                },
                purchase: {
                  brackets: [
                    { upToGrams: 3000, price: '6.80' },
                    { upToGrams: 10000, price: '9.40' },
                    { upToGrams: 30000, price: '15.20' },
                  ],
                  stepGrams: 10000,
                  stepPrice: '4.20',
                },
              },
              {
                code: 'VENEZIA',
                name: 'Venezia laguna',
                match: { areas: ['VENICE_LAGOON'] },
                sale: {
                  brackets: [
                    { upToGrams: 3000, price: '14.90' },
                    { upToGrams: 30000, price: '29.00' },
                  ],
                },
              },
              {
                code: 'ITALIA',
                name: 'Italia',
                match: { countries: ['IT'] },
                sale: {
                  brackets: [
                    { upToGrams: 3000, price: '6.90' },
                    { upToGrams: 10000, price: '9.50' },
                    { upToGrams: 30000, price: '14.90' },
                  ],
                  stepGrams: 10000,
                  stepPrice: '4.00',
                },
                purchase: {
                  brackets: [
                    { upToGrams: 3000, price: '5.20' },
                    { upToGrams: 10000, price: '7.10' },
                    { upToGrams: 30000, price: '11.00' },
                  ],
                  stepGrams: 10000,
                  stepPrice: '3.10',
                },
              },
            ],
            surcharges: [{ name: 'Carburante', kind: 'percent', amount: '4.5', base: 'transport' }],
            options: [
              {
                id: 1,
                code: 'COD',
                name: 'Contrassegno',
                description: "1,5 % dell'importo, minimo 3,50 €",
                kind: 'percent',
                price: '1.5',
                minimum: '3.50',
              },
              {
                id: 2,
                code: 'INSURANCE',
                name: 'Assicurazione',
                description: '1 % del valore, minimo 2 €',
                kind: 'percent',
                price: '1',
                minimum: '2',
              },
            ],
          },
        ],
        contracts: demoContracts(sandboxUrl),
        connections: [
          {
            key: 'shop',
            label: 'Negozio online',
            marketplace: 'woocommerce',
            account: {
              url: `${sandboxUrl}/woocommerce`,
              consumerKey: 'ck_sandbox',
              consumerSecret: 'cs_sandbox',
              webhookSecret: 'whs_sandbox',
            },
          },
        ],
      },
    ],
  };
}
