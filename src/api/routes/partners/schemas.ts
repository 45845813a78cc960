import { z } from 'zod';
import { Count, DateTime, freeObject, Id, NullableDateTime, NullableText, Text } from '../../http/schemas.ts';

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

/** Account fields differ by carrier and marketplace. */
export const AccountFields = freeObject('Account fields, which differ by carrier and marketplace; secrets are masked');

const ContractOutage = z
  .object({
    since: DateTime,
    nextPollAt: DateTime.describe('Tracking of its parcels pauses until then'),
    silent: z
      .enum(['contract', 'carrier'])
      .describe(
        '`contract`: the carrier answers others, so look at the account. `carrier`: the carrier itself does not answer',
      ),
  })
  .meta({ id: 'ContractOutage' });

export const CarrierContract = z
  .object({
    id: Id,
    companyId: Text,
    label: Text,
    configFields: AccountFields,
    billingImportConfig: freeObject('Part of the contract; always empty, since carrier invoices are not imported'),
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
    outage: ContractOutage.nullable().describe('An addition to the contract. Null while its polls are answered'),
  })
  .meta({ id: 'CarrierContract' });

export const ContractCheck = z
  .object({
    carrierCompanyId: Id,
    status: z.enum(['pending', 'succeeded', 'failed']),
    error: NullableText.describe('Why it failed, in the words of the carrier where it answered'),
    reason: z
      .enum(['credentials', 'unreachable', 'refused'])
      .nullable()
      .describe(
        '`credentials`: the carrier refuses them. `unreachable`: it did not answer, or not as it should. `refused`: another no',
      ),
    checkedAt: NullableDateTime,
  })
  .meta({ id: 'ContractCheck' });

const PriceListHead = z
  .object({
    name: Text,
    from: Text.nullable().describe('First day, YYYY-MM-DD; null: always'),
    to: Text.nullable().describe('Last day; null: until the next one begins'),
    zones: Count,
    prices: Count.describe('Brackets of all zones, on both sides'),
  })
  .meta({ id: 'PriceListHead' });

export const ContractState = z
  .object({
    carrierCompanyId: Id,
    contractLabel: Text,
    carrier: z.object({ id: Id, code: Text, name: Text }),
    isConnected: z.boolean().describe('False: the apply file has switched it off'),
    outage: z
      .object({ ...ContractOutage.shape, error: NullableText.describe('The last failure') })
      .nullable()
      .describe('Null while its polls are answered'),
    isVerifiable: z.boolean().describe('False: the carrier has no check of credentials without a shipment'),
    lastCheck: ContractCheck.nullable().describe('The newest `POST /carriers/contracts/{id}/verify`'),
    lastHour: z.object({
      calls: Count,
      failures: Count.describe('No answer, 5xx, or a refusal of the account. Other refusals are answers'),
      succeeded: z.number().min(0).max(1).nullable().describe('The share of calls that did; null: there were none'),
      p50Ms: Count.nullable(),
      p95Ms: Count.nullable(),
    }),
    polls: z
      .object({
        used: z.number().min(0).max(1).describe('The share of the budget that is spent now'),
        capacity: z.number().positive().describe('Calls that may be made at once'),
        perMinute: z.number().positive().describe('Calls that come back each minute'),
      })
      .nullable()
      .describe('The budget of calls for tracking; null: it is not polled'),
    services: z.array(z.object({ code: Text, name: Text })).describe('What the carrier offers on top'),
    tariff: z
      .object({ key: Text, inForce: PriceListHead.nullable(), next: PriceListHead.nullable() })
      .nullable()
      .describe('Null: the contract has no price list'),
  })
  .meta({ id: 'ContractState' });
