import { z } from 'zod';
import { NAMED_AREAS } from '../addresses/named-areas.ts';
import { Amount } from './amount.ts';
import { AreaCode, AreaCodes, AreaMatch, PostalCodes, ZoneMatch } from './match.ts';

/** The only options whose price can be a percentage: of the amount to collect and of the insured value. */
const AMOUNT_OPTIONS = ['COD', 'INSURANCE'];
/** The carrier's own flags of a single address; a price list may also list such places itself, under `areas`. */
export const CARRIER_AREAS = ['DISADVANTAGED', 'ZTL'];

const Name = z.string().trim().min(1);
/** YYYY-MM-DD; both ends of a period belong to it. */
export const Day = z.iso.date({ error: 'A date is written YYYY-MM-DD, such as 2026-01-01' });
const PERIOD = { from: Day.optional(), to: Day.optional() };

function isRising({ from, to }: { from?: string | undefined; to?: string | undefined }): boolean {
  return from === undefined || to === undefined || from <= to;
}
const FALLING = { error: 'The period ends before it begins', path: ['to'] };

const Transport = z
  .strictObject({
    brackets: z
      .array(z.strictObject({ upToGrams: z.int().positive(), price: Amount }))
      .min(1, 'At least one bracket is needed'),
    /** Price of each begun step beyond the last bracket. */
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
  code: Name,
  name: Name,
  label: Name.optional(),
  match: ZoneMatch,
  /** The price that a quote asks. */
  sale: Transport,
  /** The price that the carrier asks of us. */
  purchase: Transport.optional(),
});

const Area = z.strictObject({ code: AreaCode, name: Name, match: AreaMatch });

/**
 * Conditions on the whole shipment, or on one parcel: a fixed surcharge `per` parcel counts the parcels that meet the
 * latter.
 */
const When = z
  .strictObject({
    zones: z.array(Name).min(1, 'List at least one zone, or leave zones out').optional(),
    areas: AreaCodes,
    postalCodes: PostalCodes,
    overGrams: z.int().nonnegative().optional(),
    overParcels: z.int().positive().optional(),
    parcelOverGrams: z.int().positive().optional(),
    /** The longest side of a parcel. */
    parcelOverMm: z.int().positive().optional(),
    /** Length and girth: the longest side and twice the other two. */
    parcelGirthOverMm: z.int().positive().optional(),
  })
  .refine((when) => Object.values(when).some((value) => value !== undefined), {
    error: 'An empty condition: give one, or leave when out',
  });

const Surcharge = z
  .strictObject({
    name: Name,
    kind: z.enum(['fixed', 'percent']),
    /** Euro, or percent. Either this or `amounts`. */
    amount: Amount.optional(),
    /** Our cost; left out: the same as `amount`. */
    purchaseAmount: Amount.optional(),
    /** Amounts that change with time, as fuel does: a day without one has no price at all. */
    amounts: z
      .array(z.strictObject({ ...PERIOD, amount: Amount, purchaseAmount: Amount.optional() }).refine(isRising, FALLING))
      .min(1, 'List at least one amount, or leave amounts out')
      .optional(),
    /** Only charged in this season. */
    ...PERIOD,
    /** All conditions given must hold; left out: always charged. */
    when: When.optional(),
    /** Unit of a fixed surcharge. A kilogram is each begun one of the chargeable weight. */
    per: z.enum(['shipment', 'parcel', 'further-parcel', 'kilogram']).optional(),
    /** Base of a percentage: `transport`, `transport+surcharges` (those listed before), or the names of its parts. */
    base: z.union([z.enum(['transport', 'transport+surcharges']), z.array(Name).min(1)]).optional(),
    minimum: Amount.optional(),
  })
  .refine((surcharge) => (surcharge.amount === undefined) !== (surcharge.amounts === undefined), {
    error: 'Give either amount or amounts',
    path: ['amount'],
  })
  .refine((surcharge) => surcharge.amounts === undefined || surcharge.purchaseAmount === undefined, {
    error: 'Write purchaseAmount beside each of the amounts',
    path: ['purchaseAmount'],
  })
  .refine(isRising, FALLING)
  .refine((surcharge) => surcharge.kind === 'percent' || surcharge.base === undefined, {
    error: 'Only a percent surcharge has a base',
    path: ['base'],
  })
  .refine((surcharge) => surcharge.kind === 'fixed' || surcharge.per === undefined, {
    error: 'Only a fixed surcharge is charged per something',
    path: ['per'],
  })
  .superRefine(({ amounts = [] }, context) => {
    for (const [index, { from }] of amounts.entries()) {
      const before = amounts[index - 1];
      if (!before || (from !== undefined && (before.to ?? before.from ?? '') < from)) continue;
      const message = 'Amounts are listed from the oldest to the newest, each with its from, and do not overlap';
      context.addIssue({ code: 'custom', message, path: ['amounts', index, 'from'] });
    }
  });

const Option = z
  .strictObject({
    id: z.int().positive(),
    code: z
      .string()
      .trim()
      .toUpperCase()
      .regex(/^[A-Z][A-Z0-9_]*$/, 'A code is letters, digits and underscores, such as COD'),
    name: Name,
    description: z.string().trim().default(''),
    kind: z.enum(['fixed', 'percent']),
    /** Euro, or percent of the amount to collect (`COD`) or of the insured value (`INSURANCE`). */
    price: Amount,
    minimum: Amount.optional(),
    maximum: Amount.optional(),
    /** Our cost; left out: the same as `price` and `minimum`. */
    purchasePrice: Amount.optional(),
    purchaseMinimum: Amount.optional(),
    /** The carrier's own codes that mean this option, as orders name them. */
    carrierCodes: z.array(z.string().trim().toUpperCase().min(1)).min(1).optional(),
    /** Only for money collected in these ways, in the carrier's words. */
    paymentTypes: z.array(z.string().trim().toUpperCase().min(1)).min(1).optional(),
  })
  .refine((option) => option.kind === 'fixed' || AMOUNT_OPTIONS.includes(option.code), {
    error: 'Only COD and INSURANCE have an amount to take a percentage of',
    path: ['kind'],
  })
  .refine((option) => option.paymentTypes === undefined || option.code === 'COD', {
    error: 'Only COD has payment types',
    path: ['paymentTypes'],
  })
  .refine((option) => option.purchaseMinimum === undefined || option.purchasePrice !== undefined, {
    error: 'purchaseMinimum needs purchasePrice',
    path: ['purchaseMinimum'],
  });

/**
 * A tariff as a person writes it. Weights are grams, amounts are euro without VAT.
 *
 * A zone's `countries` bound it. A zone that names only parts of a country is in Italy by default, since `MI` and
 * `20100` mean something else elsewhere. Within them the closest match wins: a place before a postal code before a
 * province before a region before a country. An area counts as the part of it that matched. Among equals the first
 * listed wins, which `price-list-check.ts` refuses earlier.
 */
export const PriceList = z
  .strictObject({
    name: Name,
    currency: z.literal('EUR').default('EUR'),
    /** Step in grams that the chargeable weight is rounded up to: 1000 is the next full kilogram. */
    rounding: z.int().positive().default(1),
    /** Kilograms per cubic metre instead of the contract's; 0: volume does not count. */
    volumetric: z.number().nonnegative().optional(),
    /**
     * Several parcels: `together`, as one weight and one volume; `weighed-each`, the larger weight of each, priced
     * once; `priced-each`, each as a separate shipment.
     */
    parcels: z.enum(['together', 'weighed-each', 'priced-each']).default('together'),
    /** Areas that the carrier lists itself; areas defined by geography need no entry. */
    areas: z.array(Area).default([]),
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
    for (const index of repeated(list.areas.map((area) => area.code))) {
      report(['areas', index, 'code'], `Two areas have the code ${list.areas[index]?.code}`);
    }
    for (const index of repeated(list.options.map((option) => option.id))) {
      report(['options', index, 'id'], `Two options have the id ${list.options[index]?.id}`);
    }
    const kinds = list.options.map(({ code, paymentTypes = [''] }) => paymentTypes.map((type) => `${code} ${type}`));
    for (const [index, own] of kinds.entries()) {
      if (!own.some((kind) => kinds.slice(0, index).flat().includes(kind))) continue;
      report(['options', index, 'code'], `Two options have the code ${list.options[index]?.code}`);
    }
    const areaCodes = new Set([
      ...CARRIER_AREAS,
      ...NAMED_AREAS.map(({ code }) => code),
      ...list.areas.map(({ code }) => code),
    ]);
    const areas = [
      ...list.zones.map((zone, index) => ({ codes: zone.match.areas, path: ['zones', index, 'match', 'areas'] })),
      ...list.surcharges.map(({ when }, index) => ({
        codes: when?.areas,
        path: ['surcharges', index, 'when', 'areas'],
      })),
    ];
    for (const { codes = [], path } of areas) {
      for (const [position, code] of codes.entries()) {
        if (!areaCodes.has(code)) report([...path, position], `There is no area with the code ${code}`);
      }
    }
    for (const [index, { when, base }] of list.surcharges.entries()) {
      for (const [position, code] of (when?.zones ?? []).entries()) {
        if (zoneCodes.includes(code)) continue;
        report(['surcharges', index, 'when', 'zones', position], `There is no zone with the code ${code}`);
      }
      const before = ['transport', ...list.surcharges.slice(0, index).map(({ name }) => name)];
      for (const [position, name] of (Array.isArray(base) ? base : []).entries()) {
        if (before.includes(name)) continue;
        report(['surcharges', index, 'base', position], `No surcharge listed before this one has the name ${name}`);
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
