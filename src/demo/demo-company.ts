import { demoContracts } from './demo-contracts.ts';
import { DEMO_TARIFFS } from './demo-tariffs.ts';

/** Returns the apply document of a small shop in Bologna, with all its accounts in the sandbox. */
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
        tariffs: DEMO_TARIFFS,
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
            import_orders: true,
          },
        ],
      },
    ],
  };
}
