/** Returns one contract per simulated carrier for the apply document. The first is the default. */
export function demoContracts(sandboxUrl: string): unknown[] {
  const at = (carrier: string): string => `${sandboxUrl}/${carrier}`;
  return [
    {
      key: 'gls',
      label: 'GLS Bologna',
      carrier: 'gls-it',
      account: {
        sedeGls: 'YA',
        codiceClienteGls: '999901',
        passwordClienteGls: 'sandbox',
        codiceContrattoGls: '0001',
        baseUrl: at('gls-it'),
      },
      tariff: 'gls-2026',
      coefficient: 300,
      max_weight_kg: 100,
      default_cod_payment_type: 'CONT',
      default: true,
    },
    {
      key: 'brt',
      label: 'BRT',
      carrier: 'brt',
      account: {
        userID: '1020304',
        password: 'sandbox',
        senderCustomerCode: '1020304',
        departureDepot: '061',
        pudoToken: 'sandbox',
        baseUrl: at('brt'),
        soapBaseUrl: at('brt'),
      },
      tariff: 'brt-2026',
    },
    {
      key: 'dhl',
      label: 'DHL Express',
      carrier: 'dhl-express',
      account: {
        username: 'bottega',
        password: 'sandbox',
        accountNumber: '123456789',
        baseUrl: at('dhl-express'),
      },
    },
    {
      key: 'ups',
      label: 'UPS',
      carrier: 'ups',
      account: {
        clientId: 'bottega',
        clientSecret: 'sandbox',
        shipperNumber: 'A1B2C3',
        baseUrl: at('ups'),
      },
    },
    {
      key: 'fedex',
      label: 'FedEx',
      carrier: 'fedex',
      account: {
        apiKey: 'bottega',
        secretKey: 'sandbox',
        trackApiKey: 'bottega',
        trackSecretKey: 'sandbox-track',
        accountNumber: '123456789',
        baseUrl: at('fedex'),
      },
    },
    {
      key: 'poste',
      label: 'Poste Italiane',
      carrier: 'poste-it',
      account: {
        clientId: 'bottega',
        secretId: 'sandbox',
        scope: 'https://sandbox.example/.default',
        costCenterCode: 'CDC-01',
        baseUrl: at('poste-it'),
      },
    },
    {
      key: 'inpost',
      label: 'InPost',
      carrier: 'inpost-it',
      account: {
        organizationId: '4711',
        token: 'sandbox',
        defaultSize: 'M',
        baseUrl: at('inpost-it'),
        pointsBaseUrl: at('inpost-it'),
      },
    },
  ];
}
