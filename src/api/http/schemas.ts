import { z } from 'zod';
import { isCountryCode } from '../../domain/addresses/country-codes.ts';

export const MAX_ID = 2_147_483_647;

/** An id in a path or query. A number outside our range becomes 0, which no row has. */
export const IdText = z
  .string()
  .regex(/^\d{1,18}$/, 'must be a number')
  .transform((text) => (Number(text) > MAX_ID ? 0 : Number(text)))
  .meta({ type: 'integer', override: { type: 'integer', minimum: 1 } });

export const Id = z.number().int().min(1).max(MAX_ID);

export const IdPath = z.object({ id: IdText });

/** A boolean query parameter; absent means false. */
export const Flag = z
  .enum(['true', 'false'])
  .default('false')
  .transform((value) => value === 'true')
  .meta({
    override: ({ jsonSchema }: { jsonSchema: Record<string, unknown> }) => {
      delete jsonSchema.enum;
      Object.assign(jsonSchema, { type: 'boolean', default: false });
    },
  });

/** Returns a schema of trimmed text with a maximum length. Null counts as absent. */
export function text(max: number) {
  return z
    .string()
    .trim()
    .max(max)
    .nullish()
    .transform((value) => value ?? '')
    .meta({ override: { type: 'string', maxLength: max } });
}

export function required(max: number) {
  return z.string().trim().min(1, 'must not be empty').max(max);
}

export const COUNTRY_CODE = z
  .string()
  .trim()
  .toUpperCase()
  .refine(isCountryCode, 'must be an ISO 3166 alpha-2 code such as IT')
  .meta({ override: { type: 'string', pattern: '^[A-Za-z]{2}$' } });

export const DateTime = z.iso.datetime();
export const Text = z.string();
export const NullableText = z.string().nullable();
export const NullableDateTime = DateTime.nullable();
/** A decimal number in a string, such as "12.34". */
export const Decimal = z.string().regex(/^-?\d+(\.\d+)?$/);
/** Returns a schema of an object whose fields the contract leaves open. `reason` says what decides them. */
export function freeObject(reason: string) {
  return z.record(z.string(), z.unknown()).describe(reason);
}

export const ProblemBody = z
  .object({
    type: Text,
    title: Text,
    status: z.number().int(),
    detail: Text,
    code: Text,
    source: z.enum(['client', 'platform', 'carrier', 'marketplace']),
    retryable: z.boolean(),
    requestId: Text,
    orderId: Id.optional().describe('With `order-number-taken`: the order that has the number'),
    scope: Text.optional().describe('With `missing-scope`: the scope that the key lacks'),
    violations: z
      .array(
        z.object({
          in: z.enum(['body', 'query', 'path', 'header']),
          pointer: Text,
          message: Text,
          kind: z
            .enum(['unknown-field', 'text-wanted', 'secret-text-wanted'])
            .optional()
            .describe('The kind of some faults in a declaration; `…text-wanted`: quotes are probably missing'),
          line: z.number().int().optional().describe('In a body that is YAML, from 1'),
          column: z.number().int().optional(),
        }),
      )
      .optional(),
  })
  .meta({ id: 'Problem', description: 'RFC 9457 problem' });

export const Count = z.number().int().min(0);

/** A number of rows of which counting may have stopped. */
export const Counted = z.object({
  count: Count,
  isCapped: z.boolean().describe('True: counting stopped, and there may be more'),
});
