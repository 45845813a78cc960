import { z } from 'zod';

/** The part of UPS that this simulation checks: required fields, lengths, and no unknown field. */

const text = (max: number, min = 1) => z.string().min(min).max(max);
/** An empty tag whose presence says everything. */
const indicator = z.string().optional();
const code = z.strictObject({ Code: text(35), Description: text(35).optional() });
const money = (max: number) =>
  z.strictObject({ CurrencyCode: text(3, 3), MonetaryValue: text(max).regex(/^\d+(\.\d+)?$/) });

const Address = z.strictObject({
  AddressLine: z.array(text(35)).min(1).max(3),
  City: text(30),
  StateProvinceCode: text(5).optional(),
  PostalCode: text(9).optional(),
  CountryCode: text(2, 2),
});
const Phone = z.strictObject({ Number: z.string().regex(/^\d{1,15}$/), Extension: text(4).optional() });
const origin = { Name: text(35), AttentionName: text(35).optional(), Phone: Phone.optional(), Address };
const party = { ...origin, EMailAddress: text(50).optional() };
const ShipperNumber = z.string().regex(/^[A-Z0-9]{6}$/);
const Request = z.strictObject({
  RequestOption: text(15).optional(),
  SubVersion: text(4, 4).optional(),
  TransactionReference: z.strictObject({ CustomerContext: text(512) }).optional(),
});
const Charge = z.strictObject({
  Type: z.enum(['01', '02', '03']),
  BillShipper: z.strictObject({ AccountNumber: ShipperNumber }),
});
const Dimensions = z.strictObject({
  UnitOfMeasurement: code,
  Length: z.string().regex(/^\d{1,3}$/),
  Width: z.string().regex(/^\d{1,3}$/),
  Height: z.string().regex(/^\d{1,3}$/),
});
const Weight = z.strictObject({
  UnitOfMeasurement: code,
  Weight: z
    .string()
    .regex(/^\d+(\.\d+)?$/)
    .max(5),
});
const PackageServiceOptions = z.strictObject({ DeclaredValue: money(19).optional() });
const Package = z.strictObject({
  Description: text(35).optional(),
  Packaging: code,
  Dimensions: Dimensions.optional(),
  PackageWeight: Weight.optional(),
  PackageServiceOptions: PackageServiceOptions.optional(),
});

const Product = z.strictObject({
  Description: z.array(text(35)).min(1).max(3),
  Unit: z.strictObject({ Number: z.string().regex(/^\d{1,7}$/), UnitOfMeasurement: code, Value: text(19) }),
  CommodityCode: text(15, 6).optional(),
  PartNumber: text(35).optional(),
  OriginCountryCode: text(2, 2).optional(),
});
const InternationalForms = z.strictObject({
  FormType: z.array(text(2, 2)).min(1),
  Contacts: z.strictObject({ SoldTo: z.strictObject({ ...party, AttentionName: text(35) }) }),
  Product: z.array(Product).min(1).max(100),
  InvoiceNumber: text(35),
  InvoiceDate: z.string().regex(/^\d{8}$/),
  TermsOfShipment: text(3, 3).optional(),
  ReasonForExport: text(20),
  CurrencyCode: text(3, 3),
  OverridePaperlessIndicator: indicator,
});
const LabelStockSize = z.strictObject({ Height: z.enum(['6', '8']), Width: z.literal('4') });

export const ShipmentRequest = z.strictObject({
  ShipmentRequest: z.strictObject({
    Request: z.strictObject({ ...Request.shape, RequestOption: z.enum(['validate', 'nonvalidate']) }),
    Shipment: z.strictObject({
      Description: text(50).optional(),
      Shipper: z.strictObject({ ...party, ShipperNumber }),
      ShipTo: z.strictObject(party),
      ShipFrom: z.strictObject(origin).optional(),
      ReturnService: z
        .strictObject({ Code: z.enum(['2', '3', '5', '8', '9']), Description: text(35).optional() })
        .optional(),
      ShipmentIndicationType: z.array(code).optional(),
      AlternateDeliveryAddress: z
        .strictObject({ Name: text(35), AttentionName: text(35), UPSAccessPointID: text(9, 9), Address })
        .optional(),
      PaymentInformation: z.strictObject({ ShipmentCharge: z.array(Charge).min(1) }),
      ReferenceNumber: z.array(z.strictObject({ Code: text(2, 2).optional(), Value: text(35) })).optional(),
      Service: code,
      ShipmentServiceOptions: z
        .strictObject({
          SaturdayDeliveryIndicator: indicator,
          COD: z.strictObject({ CODFundsCode: z.enum(['1', '9']), CODAmount: money(11) }).optional(),
          InternationalForms: InternationalForms.optional(),
        })
        .optional(),
      Package: z.array(Package).min(1).max(200),
    }),
    LabelSpecification: z.strictObject({
      LabelImageFormat: z.strictObject({ Code: z.enum(['GIF', 'ZPL', 'EPL', 'SPL']) }),
      LabelStockSize,
    }),
  }),
});
export type ShipmentRequest = z.infer<typeof ShipmentRequest>;

export const RecoveryRequest = z.strictObject({
  LabelRecoveryRequest: z.strictObject({
    Request,
    LabelSpecification: z
      .strictObject({
        LabelImageFormat: z.strictObject({ Code: z.enum(['GIF', 'PDF', 'ZPL', 'EPL', 'SPL']) }),
        LabelStockSize: LabelStockSize.optional(),
      })
      .optional(),
    TrackingNumber: text(18).optional(),
    ReferenceValues: z.strictObject({ ReferenceNumber: z.strictObject({ Value: text(35) }), ShipperNumber }).optional(),
  }),
});

/** Rating does not look at the lengths of names and streets. */
const RatedAddress = z.strictObject({ ...Address.shape, StateProvinceCode: text(2, 2).optional() });
export const RateRequest = z.strictObject({
  RateRequest: z.strictObject({
    Request,
    Shipment: z.strictObject({
      Shipper: z.strictObject({ Name: z.string(), ShipperNumber, Address: RatedAddress }),
      ShipTo: z.strictObject({ Name: z.string(), Address: RatedAddress }),
      PaymentDetails: z.strictObject({ ShipmentCharge: z.array(Charge).min(1) }).optional(),
      Package: z
        .array(
          z.strictObject({
            PackagingType: code,
            Dimensions: Dimensions.optional(),
            PackageWeight: Weight,
            PackageServiceOptions: PackageServiceOptions.optional(),
          }),
        )
        .min(1)
        .max(200),
      ShipmentRatingOptions: z.strictObject({ NegotiatedRatesIndicator: indicator }).optional(),
    }),
  }),
});
export type RateRequest = z.infer<typeof RateRequest>;

const yesOrNo = z.enum(['Y', 'N']);
export const PickupRequest = z.strictObject({
  PickupCreationRequest: z.strictObject({
    Request,
    RatePickupIndicator: yesOrNo,
    Shipper: z.strictObject({
      Account: z.strictObject({ AccountNumber: ShipperNumber, AccountCountryCode: text(2, 2) }),
    }),
    PickupDateInfo: z.strictObject({
      CloseTime: z.string().regex(/^\d{4}$/),
      ReadyTime: z.string().regex(/^\d{4}$/),
      PickupDate: z.string().regex(/^\d{8}$/),
    }),
    PickupAddress: z.strictObject({
      CompanyName: text(27),
      ContactName: text(22),
      AddressLine: z.array(text(73)).min(1),
      City: text(50),
      StateProvince: text(50).optional(),
      PostalCode: text(8).optional(),
      CountryCode: text(2, 2),
      ResidentialIndicator: yesOrNo,
      Phone: z.strictObject({ Number: text(25) }),
    }),
    AlternateAddressIndicator: yesOrNo,
    PickupPiece: z
      .array(
        z.strictObject({
          ServiceCode: text(3, 3),
          Quantity: z.string().regex(/^\d{1,3}$/),
          DestinationCountryCode: text(2, 2),
          ContainerCode: z.enum(['01', '02', '03']),
        }),
      )
      .min(1),
    TotalWeight: z.strictObject({ Weight: text(6), UnitOfMeasurement: z.enum(['KGS', 'LBS']) }).optional(),
    OverweightIndicator: yesOrNo,
    PaymentMethod: text(2, 2),
    SpecialInstruction: text(57).optional(),
    ReferenceNumber: text(35).optional(),
  }),
});
export type PickupRequest = z.infer<typeof PickupRequest>;

export const LocatorRequest = z.object({
  LocatorRequest: z.object({
    Request: z.object({ RequestAction: z.literal('Locator') }),
    OriginAddress: z.object({
      AddressKeyFormat: z.object({
        PoliticalDivision2: z.string().optional(),
        PostcodePrimaryLow: z.string().optional(),
        CountryCode: text(2, 2),
      }),
    }),
    Translate: z.object({ Locale: text(5, 5) }),
    LocationSearchCriteria: z.object({
      MaximumListSize: text(2),
      AccessPointSearch: z.object({
        PublicAccessPointID: text(15).optional(),
        AccessPointStatus: text(2, 2).optional(),
      }),
    }),
  }),
});
export type LocatorRequest = z.infer<typeof LocatorRequest>;
