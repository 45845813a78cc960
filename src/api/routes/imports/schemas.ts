import { z } from 'zod';
import { Id, Text } from '../../http/schemas.ts';

const SheetFault = z
  .object({
    row: z.number().int().describe('Counted as in a spreadsheet: the header is row 1'),
    column: Text.nullable().describe('The header of the column; null: the sheet has none for it'),
    message: Text,
  })
  .meta({ id: 'SheetFault', description: 'What is wrong with a cell, or with a value that is missing' });

const SheetOrder = z
  .object({
    orderNumber: Text.nullable().describe('Null: the row has no number that can be read'),
    rows: z.array(z.number().int()),
    status: z
      .enum(['created', 'existing', 'refused', 'valid'])
      .describe('`existing`: the company has the number, and the order stays as it is. `valid`: of a dry run'),
    orderId: Id.nullable(),
    faults: z.array(SheetFault).describe('At most 20'),
  })
  .meta({ id: 'SheetOrder', description: 'The truth about one order of the sheet' });

export const OrderImport = z
  .object({
    created: z.number().int(),
    existing: z.number().int(),
    refused: z.number().int(),
    valid: z.number().int().describe('What a run that is no dry run would create'),
    ignoredColumns: z.array(Text).describe('Headers that mean nothing here'),
    orders: z.array(SheetOrder).describe('In the order of the sheet'),
  })
  .meta({ id: 'OrderImport', description: 'What an import of a sheet did, or would do' });
