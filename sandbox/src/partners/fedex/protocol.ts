import { z } from 'zod';

/** The part of FedEx that this simulation checks: required fields, lengths, and no unknown field. */

const text = (max: number, min = 1) => z.string().min(min).max(max);
const date = z.string().regex(/^\d{4}-\d{2}-\d{2}$/);
const money = z.strictObject({ amount: z.number().min(0).lt(100_000), currency: text(3, 3) });
const Weight = z.strictObject({ units: z.enum(['KG', 'LB']), value: z.number().positive() });
const AccountNumber = z.strictObject({ value: z.string().regex(/^\d{9}$/) });
const side = z.number().int().min(1).max(999);
const Dimensions = z.strictObject({ length: side, width: side, height: side, units: z.enum(['CM', 'IN']) });

const place = {
  city: text(35),
  stateOrProvinceCode: text(2, 2).optional(),
  postalCode: text(10).optional(),
  countryCode: text(2, 2),
};
const Party = z.strictObject({
  address: z.strictObject({ streetLines: z.array(text(35)).min(1).max(3), ...place }),
  contact: z
    .strictObject({
      personName: text(70).optional(),
      companyName: text(35).optional(),
      phoneNumber: z.string().regex(/^\+?\d{10,15}$/),
      emailAddress: text(80).optional(),
    })
    .refine(({ personName, companyName }) => personName ?? companyName, 'personName or companyName is mandatory'),
});

const Reference = z
  .strictObject({
    customerReferenceType: z.enum(['CUSTOMER_REFERENCE', 'DEPARTMENT_NUMBER', 'INVOICE_NUMBER', 'P_O_NUMBER']),
    value: text(40),
  })
  .refine(
    ({ customerReferenceType: type, value }) => type === 'CUSTOMER_REFERENCE' || value.length <= 30,
    'the reference is too long',
  );

const Commodity = z.strictObject({
  description: text(450),
  quantity: z.number().int().min(1),
  quantityUnits: text(10),
  numberOfPieces: z.number().int().min(0).max(9999),
  unitPrice: money,
  customsValue: money,
  weight: z.strictObject({ units: z.literal('KG'), value: z.number().positive() }),
  countryOfManufacture: text(4, 2),
  harmonizedCode: text(20, 4).optional(),
});
const ResponsibleParty = z.strictObject({ accountNumber: AccountNumber });
const Payment = z.strictObject({
  paymentType: z.enum(['SENDER', 'RECIPIENT', 'THIRD_PARTY', 'COLLECT']),
  payor: z.strictObject({ responsibleParty: ResponsibleParty }).optional(),
});

const Package = z.strictObject({
  sequenceNumber: z.number().int().min(1).optional(),
  groupPackageCount: z.number().int().min(1).optional(),
  customerReferences: z.array(Reference).optional(),
  weight: Weight,
  dimensions: Dimensions.optional(),
  declaredValue: money.optional(),
  itemDescription: text(50).optional(),
});

export const ShipmentRequest = z.strictObject({
  labelResponseOptions: z.enum(['LABEL', 'URL_ONLY']),
  accountNumber: AccountNumber,
  requestedShipment: z.strictObject({
    shipDatestamp: date.optional(),
    pickupType: z.enum(['CONTACT_FEDEX_TO_SCHEDULE', 'DROPOFF_AT_FEDEX_LOCATION', 'USE_SCHEDULED_PICKUP']),
    serviceType: text(60),
    packagingType: text(60),
    totalWeight: z.number().positive(),
    totalDeclaredValue: money.optional(),
    shipper: Party,
    recipients: z.array(Party).length(1),
    shipmentSpecialServices: z
      .strictObject({
        specialServiceTypes: z.array(z.literal('RETURN_SHIPMENT')).min(1),
        returnShipmentDetail: z.strictObject({ returnType: z.literal('PRINT_RETURN_LABEL') }),
      })
      .optional(),
    shippingChargesPayment: Payment,
    labelSpecification: z.strictObject({
      imageType: z.enum(['ZPLII', 'EPL2', 'PDF', 'PNG']),
      labelStockType: z.enum(['PAPER_4X6', 'PAPER_85X11_TOP_HALF_LABEL', 'PAPER_LETTER', 'STOCK_4X6']),
    }),
    customsClearanceDetail: z
      .strictObject({
        dutiesPayment: Payment,
        commercialInvoice: z.strictObject({
          shipmentPurpose: z.enum(['GIFT', 'NOT_SOLD', 'PERSONAL_EFFECTS', 'REPAIR_AND_RETURN', 'SAMPLE', 'SOLD']),
          termsOfSale: text(3, 3),
          customerReferences: z.array(Reference).optional(),
        }),
        commodities: z.array(Commodity).min(1).max(999),
        totalCustomsValue: money,
      })
      .optional(),
    shippingDocumentSpecification: z
      .strictObject({
        shippingDocumentTypes: z.array(z.literal('COMMERCIAL_INVOICE')).min(1),
        commercialInvoiceDetail: z.strictObject({
          documentFormat: z.strictObject({ stockType: z.literal('PAPER_LETTER'), docType: z.literal('PDF') }),
        }),
      })
      .optional(),
    requestedPackageLineItems: z.array(Package).min(1).max(30),
  }),
});
export type Order = z.infer<typeof ShipmentRequest>['requestedShipment'];

export const CancelRequest = z.strictObject({
  accountNumber: AccountNumber,
  trackingNumber: text(34),
  deletionControl: z.literal('DELETE_ALL_PACKAGES').optional(),
  senderCountryCode: text(2, 2).optional(),
});
export type CancelRequest = z.infer<typeof CancelRequest>;

export const NumberQuestion = z.object({
  includeDetailedScans: z.boolean(),
  trackingInfo: z
    .array(
      z.strictObject({
        trackingNumberInfo: z.strictObject({ trackingNumber: z.string() }),
        shipDateBegin: date.optional(),
        shipDateEnd: date.optional(),
      }),
    )
    .min(1)
    .max(30),
});
export type NumberQuestion = z.infer<typeof NumberQuestion>;

export const ReferenceQuestion = z.object({
  includeDetailedScans: z.boolean().optional(),
  referencesInformation: z.object({
    type: z.string().optional(),
    value: text(40),
    accountNumber: z.string().optional(),
    shipDateBegin: date,
    shipDateEnd: date,
  }),
});
export type ReferenceQuestion = z.infer<typeof ReferenceQuestion>['referencesInformation'];

export const RateRequest = z.strictObject({
  accountNumber: AccountNumber,
  rateRequestControlParameters: z.strictObject({ returnTransitTimes: z.boolean() }).optional(),
  requestedShipment: z.strictObject({
    shipper: z.strictObject({ address: z.strictObject({ ...place, city: place.city.optional() }) }),
    recipient: z.strictObject({ address: z.strictObject({ ...place, city: place.city.optional() }) }),
    shipDateStamp: date.optional(),
    pickupType: z.enum(['CONTACT_FEDEX_TO_SCHEDULE', 'DROPOFF_AT_FEDEX_LOCATION', 'USE_SCHEDULED_PICKUP']),
    packagingType: text(60).optional(),
    rateRequestType: z.array(z.enum(['LIST', 'ACCOUNT', 'PREFERRED', 'INCENTIVE'])).optional(),
    requestedPackageLineItems: z
      .array(
        z.strictObject({
          groupPackageCount: z.number().int().min(1).optional(),
          weight: Weight,
          dimensions: Dimensions.optional(),
          declaredValue: money.optional(),
        }),
      )
      .min(1)
      .max(99),
    customsClearanceDetail: z
      .strictObject({ dutiesPayment: Payment.optional(), commodities: z.array(Commodity).min(1) })
      .optional(),
  }),
});
export type RateRequest = z.infer<typeof RateRequest>;
