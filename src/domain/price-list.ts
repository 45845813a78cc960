import { z } from 'zod';

const MAX_DECIMALS = 4;
/** The only options whose price can be a percentage: of the amount to collect and of the insured value. */
const AMOUNT_OPTIONS = ['COD', 'INSURANCE'];

/** An amount as a person writes it, `7.5` or `"7.50"`; never negative. */
const Amount = z
  .union([z.string().trim(), z.number()], { error: 'Write an amount such as 7.50' })
  .superRefine((value, context) => {
    const problem = amountProblem(String(value));
    if (problem) context.addIssue({ code: 'custom', message: problem });
  });

function amountProblem(text: string): string | null {
  if (/^\d{1,7}(\.\d+)?$/.test(text)) {
    const decimals = text.split('.')[1]?.length ?? 0;
    return decimals > MAX_DECIMALS ? `At most ${MAX_DECIMALS} decimals are allowed: ${text}` : null;
  }
  if (/^-/.test(text)) return `An amount must not be negative: ${text}`;
  if (/^[\d.]+,\d+$/.test(text)) return `Write decimals with a point and thousands without a separator: ${text}`;
  return `Not an amount between 0 and 9999999.9999: ${text}`;
}

interface PostalRange {
  from: string;
  to: string;
}

/** A postal code as it is compared: upper case, without spaces and hyphens. */
export function comparablePostalCode(text: string): string {
  return text.replace(/[\s-]/g, '').toUpperCase();
}

/** `00100-00199` or `00100`; null when it is neither. Both ends have the same length, so that comparing text is enough. */
export function parsePostalRange(text: string): PostalRange | null {
  const ends = text.replace(/\s/g, '').toUpperCase().split('-');
  const [from = '', to = from] = ends;
  if (ends.length > 2 || !/^[A-Z0-9]{2,10}$/.test(from) || from.length !== to.length) return null;
  return /^[A-Z0-9]+$/.test(to) && from <= to ? { from, to } : null;
}

const PostalCodes = z
  .array(
    z
      .string({ error: 'Put the postal code in quotes, or its leading zeros are lost: "00100"' })
      .refine((text) => parsePostalRange(text) !== null, {
        error: (issue) =>
          `Not a postal code or a rising range such as 00100-00199 (a code's own hyphen is left out): ${issue.input}`,
      }),
  )
  .min(1, 'List at least one postal code, or leave postalCodes out');

const Match = z
  .strictObject({
    countries: z
      .array(
        z
          .string()
          .trim()
          .toUpperCase()
          .regex(/^[A-Z]{2}$/, 'A country is two letters, such as IT'),
      )
      .min(1, 'List at least one country, or leave countries out')
      .optional(),
    provinces: z
      .array(
        z
          .string()
          .trim()
          .toUpperCase()
          .regex(/^[A-Z0-9]{1,3}$/, 'A province is its short code, such as MI'),
      )
      .min(1, 'List at least one province, or leave provinces out')
      .optional(),
    postalCodes: PostalCodes.optional(),
  })
  .refine((match) => match.countries || match.provinces || match.postalCodes, {
    error: 'An empty match covers nothing: give countries, provinces or postalCodes',
  });

const Transport = z
  .strictObject({
    brackets: z
      .array(z.strictObject({ upToGrams: z.int().positive(), price: Amount }))
      .min(1, 'At least one bracket is needed'),
    stepGrams: z.int().positive().optional(),
    stepPrice: Amount.optional(),
    minimum: Amount.optional(),
  })
  .superRefine((transport, context) => {
    for (const [index, bracket] of transport.brackets.entries()) {
      const before = transport.brackets[index - 1];
      if (!before || bracket.upToGrams > before.upToGrams) continue;
      const message = `Brackets must rise: ${bracket.upToGrams} g comes after ${before.upToGrams} g`;
      context.addIssue({ code: 'custom', message, path: ['brackets', index, 'upToGrams'] });
    }
    if ((transport.stepGrams === undefined) === (transport.stepPrice === undefined)) return;
    const missing = transport.stepGrams === undefined ? 'stepGrams' : 'stepPrice';
    context.addIssue({ code: 'custom', message: 'stepGrams and stepPrice go together', path: [missing] });
  });

const Zone = z.strictObject({
  code: z.string().trim().min(1),
  name: z.string().trim().min(1),
  label: z.string().trim().min(1).optional(),
  match: Match,
  sale: Transport,
  purchase: Transport.optional(),
});

const Surcharge = z
  .strictObject({
    name: z.string().trim().min(1),
    kind: z.enum(['fixed', 'percent']),
    /** Euro, or percent. */
    amount: Amount,
    /** What it costs us; left out: the same as `amount`. */
    purchaseAmount: Amount.optional(),
    /** All conditions given must hold; left out: always charged. */
    when: z
      .strictObject({
        zones: z.array(z.string().trim().min(1)).min(1, 'List at least one zone, or leave zones out').optional(),
        postalCodes: PostalCodes.optional(),
        overGrams: z.int().nonnegative().optional(),
      })
      .refine((when) => when.zones || when.postalCodes || when.overGrams !== undefined, {
        error: 'An empty condition: give zones, postalCodes or overGrams, or leave when out',
      })
      .optional(),
    /** `transport+surcharges` also counts the surcharges listed before this one. */
    base: z.enum(['transport', 'transport+surcharges']).optional(),
  })
  .refine((surcharge) => surcharge.kind === 'percent' || surcharge.base === undefined, {
    error: 'Only a percent surcharge has a base',
    path: ['base'],
  });

const Option = z
  .strictObject({
    id: z.int().positive(),
    code: z
      .string()
      .trim()
      .toUpperCase()
      .regex(/^[A-Z][A-Z0-9_]*$/, 'A code is letters, digits and underscores, such as COD'),
    name: z.string().trim().min(1),
    description: z.string().trim().default(''),
    kind: z.enum(['fixed', 'percent']),
    /** Euro, or percent of the amount to collect (`COD`) or of the insured value (`INSURANCE`). */
    price: Amount,
    minimum: Amount.optional(),
    /** What it costs us; left out: the same as `price` and `minimum`. */
    purchasePrice: Amount.optional(),
    purchaseMinimum: Amount.optional(),
  })
  .refine((option) => option.kind === 'fixed' || AMOUNT_OPTIONS.includes(option.code), {
    error: 'Only COD and INSURANCE have an amount to take a percentage of',
    path: ['kind'],
  })
  .refine((option) => option.purchaseMinimum === undefined || option.purchasePrice !== undefined, {
    error: 'purchaseMinimum needs purchasePrice',
    path: ['purchaseMinimum'],
  });

/**
 * A tariff as a person writes it. Weights are grams, amounts are euro without VAT.
 *
 * A zone's `countries` bound it (Italy when it names only provinces or postal codes, since `MI` and `20100` mean
 * something else elsewhere); within them a destination belongs to it by postal code, or by province, or, when the zone
 * names neither, by country alone. Postal code beats province beats country; among equals the first listed wins.
 */
export const PriceList = z
  .strictObject({
    name: z.string().trim().min(1),
    currency: z.literal('EUR').default('EUR'),
    /** Step in grams that the chargeable weight is rounded up to: 1000 is the next full kilogram. */
    rounding: z.int().positive().default(1),
    /** Kilograms per cubic metre instead of the contract's; 0: volume does not count. */
    volumetric: z.number().nonnegative().optional(),
    zones: z.array(Zone).min(1, 'At least one zone is needed'),
    surcharges: z.array(Surcharge).default([]),
    options: z.array(Option).default([]),
  })
  .superRefine((list, context) => {
    const report = (path: (string | number)[], message: string) => context.addIssue({ code: 'custom', message, path });
    const zoneCodes = list.zones.map((zone) => zone.code);
    for (const index of repeated(zoneCodes)) {
      report(['zones', index, 'code'], `Two zones have the code ${zoneCodes[index]}`);
    }
    for (const index of repeated(list.options.map((option) => option.id))) {
      report(['options', index, 'id'], `Two options have the id ${list.options[index]?.id}`);
    }
    for (const index of repeated(list.options.map((option) => option.code))) {
      report(['options', index, 'code'], `Two options have the code ${list.options[index]?.code}`);
    }
    for (const [index, surcharge] of list.surcharges.entries()) {
      for (const [position, code] of (surcharge.when?.zones ?? []).entries()) {
        if (zoneCodes.includes(code)) continue;
        report(['surcharges', index, 'when', 'zones', position], `There is no zone with the code ${code}`);
      }
    }
  });

export type PriceList = z.infer<typeof PriceList>;
export type PriceListZone = z.infer<typeof Zone>;
export type PriceListTransport = z.infer<typeof Transport>;
export type PriceListSurcharge = z.infer<typeof Surcharge>;
export type PriceListOption = z.infer<typeof Option>;

function repeated(values: readonly (string | number)[]): number[] {
  return values.flatMap((value, index) => (values.indexOf(value) < index ? [index] : []));
}
