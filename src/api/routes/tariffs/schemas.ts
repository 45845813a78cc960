import { z } from 'zod';
import { LIST_PARTS } from '../../../domain/pricing/price-list-changes.ts';
import { Count, Decimal, Id, NullableText, Text } from '../../http/schemas.ts';

const Amount = Text.describe('Euro without VAT, such as "7.50"');

const PriceChange = z
  .object({
    change: z.enum(['added', 'changed', 'removed']),
    side: z.enum(['sale', 'purchase']),
    zone: Text.describe('Code of the zone'),
    row: z
      .enum(['bracket', 'step', 'minimum'])
      .describe('A weight up to `grams`, each step of `grams` beyond the last weight, or the least that is charged'),
    grams: Count.nullable(),
    before: Amount.nullable(),
    after: Amount.nullable(),
  })
  .meta({ id: 'PriceChange' });

const Cell = z.object({ place: Text.describe('As a spreadsheet names it: Prices!C7'), message: Text });

export const PriceListImport = z
  .object({
    carrierCompanyId: Id,
    tariff: Text.describe('Key of the tariff'),
    alsoUsedBy: z.array(Text).describe('Labels of the other contracts that use the tariff'),
    isDryRun: z.boolean(),
    change: z
      .enum(['created', 'changed', 'unchanged'])
      .nullable()
      .describe('What happened with the price list of that first day, or would; null: the file has problems'),
    name: NullableText,
    from: NullableText.describe('First day, YYYY-MM-DD; null: always'),
    to: NullableText.describe('Last day; null: until the next one begins'),
    digest: NullableText.describe('Names what is written and what it replaces; null: the file has problems'),
    counts: z.object({ added: Count, changed: Count, removed: Count, unchanged: Count }),
    changes: z.array(PriceChange).describe('Price by price against the list before, at most 5000'),
    otherParts: z.array(z.enum(LIST_PARTS)).describe('What changes besides the prices'),
    problems: z.array(Cell).describe('Cells that cannot be taken as they are'),
    notRead: z.array(Cell).describe('Rows outside the prices'),
    notices: z.array(Text),
    holes: z.array(Text).describe('Where the new list has no price; allowed'),
  })
  .meta({ id: 'PriceListImport' });

const Sum = { shipments: Count, now: Decimal.describe('By their own price list'), then: Decimal };

export const WhatIf = z
  .object({
    carrierCompanyId: Id,
    from: Text,
    to: Text,
    isCapped: z.boolean().describe('True: only the first 20,000 shipments of the period were priced'),
    total: z.object(Sum),
    rows: z
      .array(
        z.object({
          carrierCompanyId: Id.describe('The contract that the shipments went with'),
          contractLabel: Text,
          countryCode: Text,
          province: NullableText.describe('In Italy'),
          ...Sum,
        }),
      )
      .describe('By contract, the largest amounts first'),
    left: z.array(z.object({ reason: Text, shipments: Count })).describe('Shipments that could not be compared'),
  })
  .meta({ id: 'WhatIf' });
