import { z } from 'zod';
import { provinceOf } from './addresses/gazetteer.ts';

/** Both ends are included; one may be missing. */
const Range = z
  .strictObject({ from: z.number().min(0).optional(), to: z.number().min(0).optional() })
  .refine(({ from, to }) => from !== undefined || to !== undefined, 'must have from or to')
  .refine(({ from = 0, to = Infinity }) => from <= to, { error: 'must not be below from', path: ['to'] });

const TIME = /^([01]\d|2[0-3]):[0-5]\d$/;
const Time = z.string().regex(TIME, 'must be a time such as 16:30');

const texts = <Item extends z.ZodType>(item: Item) => z.array(item).min(1).max(500);
const Code = z.string().trim().min(1).max(80);

export const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;

/** Every condition that is given must hold. A list holds when one of its elements does. */
export const RuleCondition = z.strictObject({
  /** The weight of all parcels together. */
  weight_kg: Range.optional(),
  /** Gross, in the currency of the order. */
  value: Range.optional(),
  country: texts(z.string().regex(/^[A-Z]{2}$/, 'must be an ISO 3166 alpha-2 code such as IT')).optional(),
  province: texts(
    z.string().refine((text) => provinceOf(text) !== null, 'must be an Italian province such as BO or Bologna'),
  ).optional(),
  /** `40121`, `40*` or `90010-98199`. */
  zip: texts(
    z
      .string()
      .regex(
        /^([0-9A-Za-z -]{1,10}\*?|\d{2,10}-\d{2,10})$/,
        'must be a postal code, its beginning and *, or a range such as 90010-98199',
      ),
  ).optional(),
  /** Patterns for the SKU of any line; `*` stands for any letters. */
  sku: texts(Code).optional(),
  /** Codes of platforms; `api` is an order that a client created. */
  marketplace: texts(Code).optional(),
  cod: z.boolean().optional(),
  /** Service levels that the order asks for in `carrier_options`. */
  options: texts(Code).optional(),
  /** Key of the warehouse that the order names. */
  warehouse: texts(Code).optional(),
  days: texts(z.enum(WEEKDAYS)).optional(),
  /** Local time; a range over midnight is two rules. */
  hours: z
    .strictObject({ from: Time.default('00:00'), to: Time.default('23:59') })
    .refine(({ from, to }) => from <= to, { error: 'must not be before from', path: ['to'] })
    .optional(),
});

export const RuleAction = z
  .strictObject({
    /** Key of the contract. */
    contract: Code.optional(),
    service: Code.optional(),
    /** Added to those of the order. */
    options: z.array(Code).max(20).optional(),
    /** Key of the warehouse that an order without one leaves from. */
    warehouse: Code.optional(),
  })
  .refine((action) => Object.values(action).some((value) => value !== undefined), 'must say what to do');

export const ShippingRule = z.strictObject({
  key: z.string().regex(/^[a-z0-9][a-z0-9_-]{0,62}$/, 'must be lowercase letters, digits, - and _'),
  /** Absent: every order. */
  when: RuleCondition.default({}),
  then: RuleAction,
});
export type ShippingRule = z.infer<typeof ShippingRule>;

/** Rules in their order; the first that matches counts. */
export const ShippingRules = z
  .array(ShippingRule)
  .max(500)
  .refine((rules) => new Set(rules.map(({ key }) => key)).size === rules.length, 'must not have two rules of one key');

/** Facts about an order that rules look at. */
export interface RuleSubject {
  grams: number;
  grossCents: number;
  countryCode: string;
  province: string;
  zip: string;
  skus: readonly string[];
  /** Code of the platform; `api` without one. */
  marketplace: string;
  hasCod: boolean;
  options: readonly string[];
  /** Key; null: the order names none. */
  warehouse: string | null;
  weekday: (typeof WEEKDAYS)[number];
  /** HH:MM, local. */
  time: string;
}

/** Returns the first rule that matches; null: none does. */
export function firstMatch(rules: readonly ShippingRule[], subject: RuleSubject): ShippingRule | null {
  return rules.find((rule) => mismatches(rule, subject).length === 0) ?? null;
}

/** Returns the conditions of a rule that do not hold, in words; empty: it matches. */
export function mismatches({ when }: ShippingRule, subject: RuleSubject): string[] {
  const { grams, grossCents, countryCode, province, zip, skus, marketplace, hasCod, options, warehouse } = subject;
  const unless = (holds: boolean, words: string): string[] => (holds ? [] : [words]);
  const among = (wanted: readonly string[] | undefined, is: string, what: string): string[] =>
    unless(wanted === undefined || wanted.includes(is), `${what} ${is || 'none'} is not among ${wanted?.join(', ')}`);
  return [
    ...unless(isWithin(grams / 1000, when.weight_kg), `weight ${grams / 1000} kg is not ${rangeText(when.weight_kg)}`),
    ...unless(isWithin(grossCents / 100, when.value), `value ${grossCents / 100} is not ${rangeText(when.value)}`),
    ...among(when.country, countryCode, 'country'),
    ...among(when.province?.map(provinceCode), provinceCode(province), 'province'),
    ...unless(
      !when.zip || when.zip.some((area) => isInArea(zip, area)),
      `postal code ${zip} is not in ${when.zip?.join(', ')}`,
    ),
    ...unless(
      !when.sku || skus.some((sku) => when.sku?.some((pattern) => matchesPattern(sku, pattern))),
      `no line is of ${when.sku?.join(', ')}`,
    ),
    ...among(when.marketplace, marketplace, 'marketplace'),
    ...unless(
      when.cod === undefined || when.cod === hasCod,
      hasCod ? 'it has cash on delivery' : 'it has no cash on delivery',
    ),
    ...unless(
      !when.options || when.options.some((option) => options.includes(option)),
      `it does not ask for ${when.options?.join(', ')}`,
    ),
    ...among(when.warehouse, warehouse ?? '', 'warehouse'),
    ...among(when.days, subject.weekday, 'weekday'),
    ...unless(
      !when.hours || (subject.time >= when.hours.from && subject.time <= when.hours.to),
      `time ${subject.time} is not from ${when.hours?.from} to ${when.hours?.to}`,
    ),
  ];
}

function isWithin(value: number, range: z.infer<typeof Range> | undefined): boolean {
  return range === undefined || (value >= (range.from ?? 0) && value <= (range.to ?? Infinity));
}

function rangeText(range: z.infer<typeof Range> | undefined): string {
  const { from, to } = range ?? {};
  if (from === undefined) return `up to ${to}`;
  return to === undefined ? `${from} or more` : `from ${from} to ${to}`;
}

function provinceCode(text: string): string {
  return provinceOf(text)?.code ?? text.toUpperCase();
}

function isInArea(zip: string, area: string): boolean {
  if (area.endsWith('*')) return zip.startsWith(area.slice(0, -1));
  const [, from, to] = /^(\d+)-(\d+)$/.exec(area) ?? [];
  return from === undefined || to === undefined ? zip === area : zip.length === from.length && zip >= from && zip <= to;
}

function matchesPattern(text: string, pattern: string): boolean {
  const parts = pattern.split('*').map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 'i').test(text);
}
