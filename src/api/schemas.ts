import { z } from 'zod';
import { isCountryCode } from '../domain/addresses/country-codes.ts';

export const MAX_ID = 2_147_483_647;

/** A path or query id: what cannot be an id of ours becomes 0, which is nobody's. */
export const IdText = z
  .string()
  .regex(/^\d{1,18}$/, 'must be a number')
  .transform((text) => (Number(text) > MAX_ID ? 0 : Number(text)))
  .meta({ type: 'integer', override: { type: 'integer', minimum: 1 } });

export const Id = z.number().int().min(1).max(MAX_ID);

export const IdPath = z.object({ id: IdText });

/** A yes or no of a query; absent means no. */
export const Flag = z
  .enum(['true', 'false'])
  .default('false')
  .transform((value) => value === 'true')
  .meta({ override: { type: 'boolean', default: false } });

/** Free text of a bounded length, trimmed; null counts as absent. */
export function text(max: number) {
  return z
    .string()
    .trim()
    .max(max)
    .nullish()
    .transform((value) => value ?? '')
    .meta({ override: { type: 'string', maxLength: max } });
}

export function required(max: number) {
  return z.string().trim().min(1, 'must not be empty').max(max);
}

export const COUNTRY_CODE = z
  .string()
  .trim()
  .toUpperCase()
  .refine(isCountryCode, 'must be an ISO 3166 alpha-2 code such as IT')
  .meta({ override: { type: 'string', pattern: '^[A-Za-z]{2}$' } });

export const DateTime = z.iso.datetime();
const Text = z.string();
const NullableText = z.string().nullable();
const NullableDateTime = DateTime.nullable();
/** A decimal number in a string, such as "12.34". */
export const Decimal = z.string().regex(/^-?\d+(\.\d+)?$/);
const FreeObject = z.record(z.string(), z.unknown());

export const ProblemBody = z
  .object({
    type: Text,
    title: Text,
    status: z.number().int(),
    detail: Text,
    code: Text,
    source: z.enum(['client', 'platform', 'carrier', 'marketplace']),
    retryable: z.boolean(),
    requestId: Text,
    violations: z
      .array(z.object({ in: z.enum(['body', 'query', 'path', 'header']), pointer: Text, message: Text }))
      .optional(),
  })
  .meta({ id: 'Problem', description: 'RFC 9457 problem' });

export const Carrier = z
  .object({
    id: Id,
    name: Text,
    code: Text,
    marketplaceCarrierCode: Text,
    logoUrl: Text,
    sortOrder: z.number().int(),
    isNew: z.boolean(),
    isActive: z.boolean(),
    createdAt: DateTime,
    updatedAt: DateTime,
  })
  .meta({ id: 'Carrier' });

export const CarrierContract = z
  .object({
    id: Id,
    companyId: Text,
    label: Text,
    configFields: FreeObject,
    billingImportConfig: FreeObject,
    createdAt: DateTime,
    updatedAt: DateTime,
    deleteFlag: z.boolean(),
    isConnected: z.boolean(),
    isPartner: z.boolean(),
    supportCod: z.boolean(),
    supportInsurance: z.boolean(),
    idPartner: z.number().int().nullable(),
    maxWeight: NullableText,
    coefficient: z.number(),
    defaultCodPaymentType: Text,
    carrier: Carrier,
  })
  .meta({ id: 'CarrierContract' });

export const ConnectedMarketplace = z
  .object({
    id: Id,
    companyId: Text,
    marketplaceId: Id,
    externalConnectionKey: Text,
    configFields: FreeObject,
    deleteFlag: z.boolean(),
    isConnected: z.boolean(),
    isPartner: z.boolean(),
    label: Text,
    percentageFee: z.number(),
    idPartner: z.number().int().nullable(),
    createdAt: DateTime,
    updatedAt: DateTime,
    marketplace: z.object({
      id: Id,
      name: Text,
      logoUrl: Text,
      fields: FreeObject,
      sortOrder: z.number().int(),
      isNew: z.boolean(),
      allowOrderUpdateAfterImport: z.boolean(),
      createdAt: DateTime,
      updatedAt: DateTime,
      code: Text,
    }),
  })
  .meta({ id: 'ConnectedMarketplace' });

export const Customer = z
  .object({
    id: Id,
    fullName: Text,
    email: Text,
    phone: Text,
    billingCompany: Text,
    billingAddress: Text,
    billingCity: Text,
    billingState: Text,
    billingZip: Text,
    billingCountry: Text,
    billingVat: Text,
    billingCodiceFiscale: Text,
    createdAt: DateTime,
    updatedAt: DateTime,
  })
  .meta({ id: 'Customer' });

export const CustomerAddress = z
  .object({
    id: Id,
    fullName: Text,
    company: Text,
    phone: Text,
    address: Text,
    address2: Text,
    city: Text,
    state: Text,
    zip: Text,
    country: Text,
    countryCode: Text,
    createdAt: DateTime,
    updatedAt: DateTime,
  })
  .meta({ id: 'CustomerAddress' });

export const OrderItem = z
  .object({
    id: Id,
    title: Text,
    sku: Text,
    companyProductId: Text,
    quantity: z.number().int(),
    unitPriceGross: z.number(),
    unitPriceNet: z.number(),
    totalAmountNet: z.number(),
    totalAmountGross: z.number(),
  })
  .meta({ id: 'OrderItem' });

export const OrderFields = z
  .object({
    id: Id,
    companyId: Text,
    orderNumber: Text,
    status: Text,
    currency: Text,
    totalNetAmount: Decimal,
    totalVatAmount: Decimal,
    totalGrossAmount: Decimal,
    saleShippingCost: Decimal,
    insuranceAmount: Decimal,
    shippingCostGrossAmount: z.number(),
    insurance: z.boolean(),
    buyerOrderNote: Text,
    parcelNumber: z.number().int(),
    companyCustomersId: Id,
    companyCustomerAddressId: Id,
    dateMarketplaceCreation: NullableDateTime,
    dateImport: DateTime,
  })
  .meta({ id: 'Order' });

export const OrderCreated = z
  .object({
    order: OrderFields,
    orderItems: z.array(OrderItem),
    customer: Customer,
    customerAddress: CustomerAddress,
    totals: z.object({ netAmount: z.number(), vatAmount: z.number(), grossAmount: z.number() }),
  })
  .meta({ id: 'OrderCreated' });

export const BatchResult = z
  .object({
    success: z.boolean(),
    message: Text,
    total: z.number().int(),
    details: z.object({
      success: z.array(z.number().int()),
      errors: z.array(z.object({ id: z.number().int(), message: Text })),
      shipments: z
        .array(
          z.object({
            orderId: Id,
            shipmentId: Id,
            trackingNumber: Text,
            labelUrl: NullableText.meta({
              description: 'Needs the API key; null while the carrier still owes the label',
            }),
          }),
        )
        .optional()
        .meta({
          description: 'An addition of ours: the shipment of each booked order; absent in the result of transmit',
        }),
    }),
  })
  .meta({ id: 'BatchResult' });

export const ReleaseResult = z
  .object({
    success: z.boolean(),
    message: Text,
    summary: z.object({
      requested: z.number().int(),
      succeeded: z.number().int(),
      failed: z.number().int(),
    }),
    blockingError: NullableText,
    items: z.array(
      z.object({
        shipmentId: Id,
        carrierShipmentReference: Text,
        success: z.boolean(),
        message: Text,
        raw: FreeObject,
      }),
    ),
  })
  .meta({ id: 'ReleaseResult' });

export const SendResult = z
  .object({
    Result: Text,
    OrderID: Text,
    TransactionID: Text,
    CarrierID: Text,
    TrackingCarrier: Text,
    TrackingNumber: Text,
    TrackingExternalLink: Text,
    LabelURL: z.array(Text),
    MarketplacePlatform: Text,
    Status: Text,
    ErrorMessage: NullableText,
    ErrorType: NullableText,
    ErrorSuggestion: NullableText,
    error: NullableText,
  })
  .meta({ id: 'SendToMarketplaceResult' });

const ADDRESS_FIELDS = [
  'SiglaRegione',
  'DescrizioneRegione',
  'SiglaProvincia',
  'DescrizioneProvincia',
  'Cap',
  'Frazione',
  'Comune',
  'Indirizzo',
  'InoltroInProvincia',
  'KmDistanzaSede',
  'Sede',
  'Zona',
  'TempoDiResa',
  'LocalitaDisagiata',
  'ZTL',
  'Express12',
  'IdentPIN',
  'LocalitaSaturdayExpress',
  'GiorniPercorso',
  'SaturdayExpressEffettuabile',
] as const;

export const AddressCheck = z
  .object({
    status: Text,
    message: Text,
    addresses: z.array(
      z.object(
        Object.fromEntries(ADDRESS_FIELDS.map((name) => [name, Text])) as Record<
          (typeof ADDRESS_FIELDS)[number],
          z.ZodString
        >,
      ),
    ),
  })
  .meta({ id: 'AddressCheck' });

export const DocumentList = z
  .array(
    z.object({
      id: Id,
      kind: z.enum(['label', 'return_label', 'customs_invoice', 'manifest']),
      contentType: Text,
      size: z.number().int(),
      createdAt: DateTime,
      url: Text,
    }),
  )
  .meta({ id: 'DocumentList' });

export const PickupPoints = z
  .array(
    z.object({
      id: Text,
      name: Text,
      type: z.enum(['locker', 'shop', 'office']),
      address: Text,
      city: Text,
      zip: Text,
      province: Text,
      countryCode: Text,
      latitude: z.number().nullable(),
      longitude: z.number().nullable(),
      openingHours: Text,
      takesCod: z.boolean().nullable(),
    }),
  )
  .meta({ id: 'PickupPoints' });

export const QuoteBody = z
  .object({
    carrier_id: Id,
    carrier_company_id: Id,
    extra_steps: z.number().int(),
    carrier_name: Text,
    zone_label: Text,
    logo_url: Text,
    zone_name: Text,
    contract_label: Text,
    base_price: Decimal,
    coefficient: Decimal,
    chargeable_weight: Decimal,
    real_weight: Decimal,
    volumetric_weight: Decimal,
    surcharge_price: Decimal,
    extra_price: Decimal,
    carrier_options_total: Decimal,
    total_price: Decimal,
    vat_amount: Decimal,
    total_price_with_vat: Decimal,
    is_active: z.boolean(),
    is_connected: z.boolean(),
    delete_flag: z.boolean(),
    carrier_options_detail: z.array(
      z.object({
        name: Text,
        price: Decimal,
        option_id: z.number().int(),
        calculated: z.number().int(),
        description: Text,
      }),
    ),
    purchase: FreeObject,
  })
  .meta({ id: 'Quote' });

export const TrackingDetail = z
  .object({
    shipment: z.object({
      id: Id,
      trackingNumber: Text,
      status: Text,
      shipmentDate: Text,
      expectedDeliveryDate: NullableText,
      deliveredDate: NullableText,
      shipmentType: Text,
      carrier: Text,
      carrierCode: Text,
      carrierLogo: Text,
      trackingUrl: Text,
      parcelCount: z.number().int(),
      weight: z.number(),
      volume: z.number(),
    }),
    recipient: z.object({
      id: Id,
      shipmentId: Id,
      companyName: Text,
      vatNumber: Text,
      taxCode: Text,
      address: Text,
      postalCode: Text,
      city: Text,
      province: Text,
      country: Text,
      countryCode: Text,
      phone: Text,
      email: Text,
    }),
    trackingEvents: z.array(
      z.object({
        id: Id,
        date: Text,
        time: Text,
        location: Text,
        status: Text,
        label: Text,
        classStyle: Text,
        color: Text,
        icon: Text,
        codeTracking: Text,
        description: Text,
        note: Text,
      }),
    ),
    relatedShipments: z.array(z.object({ id: Id, type: Text, trackingNumber: Text, carrier: Text, date: Text })),
    order: z.object({
      id: Id,
      orderNumber: Text,
      marketplaceOrderNumber: Text,
      marketplaceOrderId: Text,
      marketplaceName: Text,
      marketplaceLogo: Text,
      items: z.array(
        z.object({ sku: Text, title: Text, quantity: z.number().int(), price: z.number(), total: z.number() }),
      ),
    }),
  })
  .meta({ id: 'TrackingDetail' });

export const ManifestDetail = z
  .object({
    manifestNumber: Text,
    manifestDate: DateTime,
    totalParcels: z.number().int(),
    totalWeight: Decimal,
    totalShipments: z.number().int(),
    company: z.object({
      name: Text,
      address: Text,
      postalCode: Text,
      city: Text,
      country: Text,
      vatNumber: Text,
    }),
    carrier: z.object({ id: Id, code: Text, name: Text, logoUrl: Text }),
    carrierCompany: z.object({ configFields: FreeObject }),
    manifestItems: z.array(
      z.object({
        id: Id,
        orderRef: Text,
        shipment: FreeObject,
        order: z.object({
          sentToMarketplace: z.boolean(),
          sentToCarrier: z.boolean(),
          sentToErp: z.boolean(),
          dateSendToMarketplace: NullableDateTime,
          dateSendToCarrier: NullableDateTime,
        }),
        trackingNumber: Text,
        recipientName: Text,
        recipientCity: Text,
        recipientAddress: Text,
        recipientState: Text,
        recipientZip: Text,
        recipientPhone: Text,
        parcelsCount: z.number().int(),
        weight: Decimal,
        codAmount: Decimal,
        shipmentValue: Decimal,
      }),
    ),
  })
  .meta({ id: 'ManifestDetail' });

export const ManifestListItem = z
  .object({
    id: Id,
    companyId: Text,
    manifestNumber: Text,
    manifestDate: DateTime,
    createdAt: DateTime,
    updatedAt: DateTime,
    totalParcels: z.number().int(),
    totalShipments: z.number().int(),
    totalWeight: Decimal,
    codAmount: Decimal,
    sentToMarketplace: z.boolean(),
    sentToCarrier: z.boolean(),
    sentToErp: z.boolean(),
    warehouse: z.array(FreeObject),
    carrier: Carrier.omit({ marketplaceCarrierCode: true }),
  })
  .meta({ id: 'ManifestListItem' });

const ManifestMade = { manifestId: Id, manifestNumber: Text, manifestCode: Text, totalShipments: z.number().int() };

export const ManifestCreated = z
  .object({
    ...ManifestMade,
    manifests: z.array(z.object({ ...ManifestMade, carrierCompanyId: Id })).meta({
      description:
        'An addition of ours: every bordero that was made, one per contract; the fields above are the first of them',
    }),
  })
  .meta({ id: 'ManifestCreated' });

export const ManifestDeleted = z
  .object({
    success: z.boolean(),
    message: Text,
    mode: Text,
    targetStatus: Text,
    restoredOrders: z.number().int(),
    keptOrders: z.number().int(),
    manifestId: Id,
    remainingOrders: z.number().int(),
  })
  .meta({ id: 'ManifestDeleted' });
