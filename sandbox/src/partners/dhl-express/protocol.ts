import { z } from 'zod';

/** The part of MyDHL API 3.1.1 that this simulation checks: closed objects, required fields and lengths. */

const text = (max: number, min = 1) => z.string().min(min).max(max);
const country = text(2, 2);
const amount = z.number().min(0).max(999_999_999_999_999);

const place = {
  postalCode: text(12, 0),
  cityName: text(45),
  countryCode: country,
  provinceCode: text(35, 2).optional(),
  countyName: text(45).optional(),
};
const lines = { addressLine2: text(45).optional(), addressLine3: text(45).optional() };
const RatedPlace = z.strictObject({ ...place, ...lines, addressLine1: text(45).optional() });
const PickupAddress = z.strictObject({ ...place, ...lines, addressLine1: text(45) });
const ShipmentAddress = z.strictObject({
  ...place,
  ...lines,
  addressLine1: text(45),
  provinceName: text(35).optional(),
  countryName: text(35).optional(),
});
const Contact = z.strictObject({
  phone: text(70),
  companyName: text(100),
  fullName: text(255),
  email: text(70).optional(),
  mobilePhone: text(70).optional(),
});
const Shipper = z.strictObject({
  postalAddress: ShipmentAddress,
  contactInformation: Contact,
  registrationNumbers: z
    .array(z.strictObject({ typeCode: text(3), number: text(35), issuerCountryCode: country }))
    .max(50)
    .optional(),
  typeCode: z.string().optional(),
});
const Accounts = z.array(z.strictObject({ typeCode: z.enum(['shipper', 'payer', 'duties-taxes']), number: text(12) }));
const ValueAdded = z.strictObject({
  serviceCode: text(6),
  value: amount.optional(),
  currency: text(3, 3).optional(),
  method: z.string().optional(),
});
const Reference = z.strictObject({ value: text(35), typeCode: text(3, 2).optional() });
const side = z.number().min(0.001).max(9_999_999);
const Package = z.strictObject({
  typeCode: text(3, 2).optional(),
  weight: z.number().min(0.001),
  dimensions: z.strictObject({ length: side, width: side, height: side }).optional(),
  customerReferences: z.array(Reference).min(1).max(99).optional(),
  description: text(70).optional(),
  referenceNumber: z.number().min(1).max(999).optional(),
});
const RatedPackage = Package.pick({ typeCode: true, weight: true, dimensions: true });
const When = text(29);

const LineItem = z.strictObject({
  number: z.number().int().min(1).max(999),
  description: text(512),
  price: amount,
  quantity: z.strictObject({ value: z.number().int().min(1), unitOfMeasurement: text(8, 0) }),
  commodityCodes: z
    .array(z.strictObject({ typeCode: z.enum(['outbound', 'inbound']), value: text(18, 2) }))
    .max(2)
    .optional(),
  exportReasonType: z.string().optional(),
  manufacturerCountry: country,
  weight: z.strictObject({ netValue: z.number().min(0).optional(), grossValue: z.number().min(0).optional() }),
});
const ExportDeclaration = z.strictObject({
  lineItems: z.array(LineItem).min(1).max(999),
  invoice: z.strictObject({ number: text(35), date: z.iso.date(), signatureName: text(35, 0).optional() }).optional(),
  exportReasonType: z.string().optional(),
  exportReason: text(30).optional(),
  shipmentType: z.enum(['personal', 'commercial']).optional(),
});

const ImageOption = z.strictObject({
  typeCode: z.enum(['label', 'waybillDoc', 'invoice', 'qr-code', 'shipmentReceipt']),
  templateName: text(25, 0).optional(),
  isRequested: z.boolean().optional(),
  hideAccountNumber: z.boolean().optional(),
  numberOfCopies: z.number().min(1).max(2).optional(),
  invoiceType: z.enum(['commercial', 'proforma', 'returns']).optional(),
  languageCode: text(3, 3).optional(),
  languageCountryCode: text(2, 2).optional(),
  fitLabelsToA4: z.boolean().optional(),
});
const Images = z.strictObject({
  printerDPI: z.union([z.literal(200), z.literal(300)]).optional(),
  encodingFormat: z.enum(['pdf', 'zpl', 'lp2', 'epl']).optional(),
  imageOptions: z.array(ImageOption).max(20).optional(),
  splitTransportAndWaybillDocLabels: z.boolean().optional(),
  allDocumentsInOneImage: z.boolean().optional(),
  splitDocumentsByPages: z.boolean().optional(),
  splitInvoiceAndReceipt: z.boolean().optional(),
  receiptAndLabelsInOneImage: z.boolean().optional(),
});

const INCOTERMS = 'EXW FCA CPT CIP DPU DAP DDP FAS FOB CFR CIF DAF DAT DDU DEQ DES'.split(' ');

export const ShipmentRequest = z.strictObject({
  plannedShippingDateAndTime: When,
  pickup: z.strictObject({ isRequested: z.boolean() }),
  productCode: text(6),
  localProductCode: text(3).optional(),
  getRateEstimates: z.boolean().optional(),
  accounts: Accounts.min(1).max(3),
  valueAddedServices: z.array(ValueAdded).max(99).optional(),
  outputImageProperties: Images.optional(),
  customerReferences: z.array(Reference).max(999).optional(),
  customerDetails: z.strictObject({ shipperDetails: Shipper, receiverDetails: Shipper }),
  content: z.strictObject({
    packages: z.array(Package).min(1).max(999),
    isCustomsDeclarable: z.boolean(),
    declaredValue: amount.optional(),
    declaredValueCurrency: text(3, 3).optional(),
    exportDeclaration: ExportDeclaration.optional(),
    description: text(70).regex(/^\S/, 'does not match pattern ^[^\\s]'),
    incoterm: z.enum(INCOTERMS),
    unitOfMeasurement: z.enum(['metric', 'imperial']),
  }),
});
export type ShipmentRequest = z.infer<typeof ShipmentRequest>;

export const RateRequest = z.strictObject({
  customerDetails: z.strictObject({ shipperDetails: RatedPlace, receiverDetails: RatedPlace }),
  accounts: Accounts.max(2).optional(),
  productCode: text(6).optional(),
  valueAddedServices: z.array(ValueAdded).max(99).optional(),
  plannedShippingDateAndTime: When,
  unitOfMeasurement: z.enum(['metric', 'imperial']),
  isCustomsDeclarable: z.boolean(),
  monetaryAmount: z
    .array(z.strictObject({ typeCode: z.enum(['declaredValue', 'insuredValue']), value: amount, currency: text(3, 3) }))
    .optional(),
  estimatedDeliveryDate: z.strictObject({ isRequested: z.boolean(), typeCode: text(4, 0).optional() }).optional(),
  nextBusinessDay: z.boolean().optional(),
  packages: z.array(RatedPackage).min(1).max(999),
});
export type RateRequest = z.infer<typeof RateRequest>;

export const PickupOrder = z.strictObject({
  plannedPickupDateAndTime: When,
  closeTime: z
    .string()
    .max(5)
    .regex(/([01]\d|2[0-3]):[0-5]\d/)
    .optional(),
  location: text(80, 0).optional(),
  locationType: z.enum(['business', 'residence']).optional(),
  accounts: Accounts.min(1).max(5),
  specialInstructions: z
    .array(z.strictObject({ value: text(80, 0), typeCode: text(3, 2).optional() }))
    .max(4)
    .optional(),
  remark: z.string().optional(),
  customerDetails: z.strictObject({
    shipperDetails: z.strictObject({ postalAddress: PickupAddress, contactInformation: Contact }),
  }),
  shipmentDetails: z
    .array(
      z.strictObject({
        productCode: text(6),
        isCustomsDeclarable: z.boolean(),
        unitOfMeasurement: z.enum(['metric', 'imperial']),
        shipmentTrackingNumber: z.string().optional(),
        packages: z.array(RatedPackage).min(1).max(999),
      }),
    )
    .min(1)
    .max(999),
});
export type PickupOrder = z.infer<typeof PickupOrder>;
