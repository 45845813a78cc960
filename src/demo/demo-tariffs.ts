/** Two price lists for the apply document, with invented prices. */
export const DEMO_TARIFFS: readonly unknown[] = [
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

  {
    key: 'brt-2026',
    name: 'BRT 2026',
    rounding: 1000,
    parcels: 'weighed-each',
    zones: [
      {
        code: 'MINORI',
        name: 'Isole minori',
        match: { areas: ['MINOR_ISLANDS'] },
        sale: {
          brackets: [
            { upToGrams: 5000, price: '16.50' },
            { upToGrams: 30000, price: '27.00' },
          ],
          stepGrams: 10000,
          stepPrice: '9.00',
        },
      },
      {
        code: 'ISOLE',
        name: 'Sicilia, Sardegna e Calabria',
        match: { areas: ['ISLANDS'], regions: ['CAL'] },
        sale: {
          brackets: [
            { upToGrams: 5000, price: '9.40' },
            { upToGrams: 30000, price: '17.80' },
          ],
          stepGrams: 10000,
          stepPrice: '5.10',
        },
      },
      {
        code: 'ITALIA',
        name: 'Italia',
        match: { countries: ['IT'] },
        sale: {
          brackets: [
            { upToGrams: 5000, price: '7.30' },
            { upToGrams: 30000, price: '12.90' },
          ],
          stepGrams: 10000,
          stepPrice: '3.80',
        },
      },
    ],
    surcharges: [
      { name: 'Fuori misura', kind: 'fixed', amount: '4.00', per: 'parcel', when: { parcelOverMm: 1200 } },
      { name: 'Carburante', kind: 'percent', base: ['transport'], amounts: [{ from: '2026-01-01', amount: '3.9' }] },
    ],
    options: [
      {
        id: 1,
        code: 'COD',
        name: 'Contrassegno',
        description: "1,8 % dell'importo, minimo 4 €",
        kind: 'percent',
        price: '1.8',
        minimum: '4',
      },
    ],
  },
];
