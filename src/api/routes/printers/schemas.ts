import { z } from 'zod';
import { PRINTER_FORMATS } from '../../../domain/printer-format.ts';
import { Id, NullableDateTime, NullableText, Text } from '../../http/schemas.ts';

export const PrinterFields = z
  .object({
    id: Id,
    key: Text.describe('Its name in the apply file'),
    name: Text,
    format: z.enum(PRINTER_FORMATS).describe('The labels that it takes'),
    stations: z
      .array(Text)
      .describe('Names of the packing stations that print here; empty: it is a station of its own'),
    warehouseId: Id.nullable(),
    isEnabled: z.boolean(),
    isReachable: z.boolean().nullable().describe('Whether it answered at the last job; null: there was no job'),
    lastJobAt: NullableDateTime,
    lastError: NullableText.describe(
      'Code of the last failure, as in `error` of a print; null: the last job was printed',
    ),
  })
  .meta({ id: 'Printer' });

export const PrintJob = z
  .object({
    shipmentId: Id,
    printer: Text,
    copies: z.number().int(),
    isCopy: z.boolean(),
    status: z
      .enum(['pending', 'printed', 'not-printed', 'unknown'])
      .describe('unknown: the printer took bytes and confirmed nothing. Only a person at the printer can tell'),
    error: NullableText.describe(
      'Why it was not printed: a code such as unreachable, refused or connection-lost, or a sentence',
    ),
    reason: NullableText.describe("The printer's own words, such as media-empty-report"),
  })
  .meta({ id: 'PrintJob' });
