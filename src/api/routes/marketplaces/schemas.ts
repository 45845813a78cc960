import { z } from 'zod';
import { DateTime, freeObject, Id, NullableText, Text } from '../../http/schemas.ts';
import { AccountFields } from '../partners/schemas.ts';

export const ConnectedMarketplace = z
  .object({
    id: Id,
    companyId: Text,
    marketplaceId: Id,
    externalConnectionKey: Text,
    configFields: AccountFields,
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
      fields: freeObject('Describes the account fields, which differ by marketplace'),
      sortOrder: z.number().int(),
      isNew: z.boolean(),
      allowOrderUpdateAfterImport: z.boolean(),
      createdAt: DateTime,
      updatedAt: DateTime,
      code: Text,
    }),
  })
  .meta({ id: 'ConnectedMarketplace' });

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
    parts: z
      .array(
        z.object({
          shipmentId: Id.nullable(),
          Result: Text,
          TransactionID: Text,
          TrackingCarrier: Text,
          TrackingNumber: Text,
          ErrorMessage: NullableText,
          ErrorType: NullableText,
        }),
      )
      .optional()
      .describe('An addition: one entry per shipment where several parts of a split order are confirmed'),
  })
  .meta({ id: 'SendToMarketplaceResult' });
