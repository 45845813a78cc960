import { z } from 'zod';
import { DateTime, freeObject, Id, NullableText, Text } from '../../http/schemas.ts';

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
