import { z } from 'zod';
import { CONFIRMATION_STATES } from '../../../domain/confirmation-state.ts';
import { MARKETPLACE_ERRORS, type MarketplaceErrorType } from '../../../domain/marketplace-error.ts';
import { Count, Counted, DateTime, freeObject, Id, NullableDateTime, NullableText, Text } from '../../http/schemas.ts';
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

const ErrorType = z.enum(Object.keys(MARKETPLACE_ERRORS) as MarketplaceErrorType[]).nullable();

const Settled = {
  status: z.enum(['pending', 'succeeded', 'failed']),
  error: NullableText.describe('Why it failed, in the words of the shop where it answered'),
  errorType: ErrorType.describe('As `ErrorType` of a confirmation'),
  errorSuggestion: NullableText,
};

export const ConnectionCheck = z.object({ connectionId: Id, ...Settled }).meta({ id: 'ConnectionCheck' });

export const ImportRun = z
  .object({
    connectionId: Id,
    marketplaceOrderId: NullableText.describe('The order that was asked for; null: all changes'),
    ...Settled,
    wasRunning: z.boolean().describe('True: another import of the connection was running, so this one did nothing'),
    created: Count,
    updated: Count,
    unchanged: Count,
    failed: Count.describe('Orders that could not be imported: GET …/import-failures'),
  })
  .meta({ id: 'ImportRun' });

export const ShopState = z
  .object({
    connectionId: Id,
    label: Text,
    marketplace: z.object({ id: Id, code: Text, name: Text }),
    isConnected: z.boolean().describe('False: the apply file has switched it off'),
    imports: z.object({
      isEnabled: z.boolean(),
      isRunning: z.boolean(),
      importedUntil: NullableDateTime.describe('Orders that changed before are here; null: none was imported yet'),
      lastRunAt: NullableDateTime.describe('When the last import ended, however it ended'),
      nextRunAt: NullableDateTime.describe('null: imports are off'),
      error: NullableText.describe('Why the last import failed; null where only single orders did'),
      failed: Counted.describe('Orders that could not be imported, and are tried again'),
    }),
    confirmations: z.object({
      isAutomatic: z.boolean().describe('True: each shipment is confirmed once it is transmitted'),
      missing: Counted.describe('Orders whose shop lacks the number of a transmitted shipment'),
      toldAnother: Counted.describe('Orders whose shop has another number'),
    }),
  })
  .meta({ id: 'ShopState' });

export const ImportFailureFields = z
  .object({
    id: Id,
    marketplaceOrderId: Text,
    message: Text.describe('Why it could not be imported at the last try'),
    tries: Count,
    firstTriedAt: DateTime,
    nextTryAt: DateTime,
  })
  .meta({ id: 'ImportFailure' });

export const ConfirmationFields = z
  .object({
    orderId: Id,
    orderNumber: Text,
    marketplaceOrderId: Text,
    marketplaceOrderNumber: Text,
    state: z
      .enum(CONFIRMATION_STATES)
      .describe(
        'told: the shop took the numbers. read_back: it showed them when it was read later. missing: it lacks the number of a transmitted shipment. told_another: it has another number',
      ),
    toldAt: NullableDateTime.describe('When the shop first knew a number of this order'),
    readBackAt: NullableDateTime,
    shipments: z
      .array(
        z.object({
          shipmentId: Id,
          trackingNumber: Text,
          toldNumber: NullableText.describe('What the shop has for it; null: nothing'),
          transmittedAt: NullableDateTime,
        }),
      )
      .describe('The live ones'),
    deadNumbers: z.array(Text).describe('What the shop has of cancelled shipments'),
    last: z
      .object({
        operationId: Id,
        status: z.enum(['pending', 'running', 'succeeded', 'failed']),
        error: NullableText,
        errorType: ErrorType,
        errorSuggestion: NullableText,
        at: DateTime,
      })
      .nullable()
      .describe('The last confirmation; null: there was none within RETENTION_DAYS'),
  })
  .meta({ id: 'Confirmation' });
