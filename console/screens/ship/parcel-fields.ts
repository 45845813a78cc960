import { currentLanguage } from '../../i18n/index.ts';
import { areSame } from './buy.ts';
import type { Parcel } from './station.ts';

/** The form of the parcels, as typed. */
export interface Fields {
  count: string;
  weight: string;
  length: string;
  width: string;
  height: string;
}

/** The inputs of the form, with the names of their labels. */
export const PARCEL_FIELDS = [
  { name: 'count', label: 'ship.parcels' },
  { name: 'weight', label: 'ship.weight' },
  { name: 'length', label: 'ship.length' },
  { name: 'width', label: 'ship.width' },
  { name: 'height', label: 'ship.height' },
] as const satisfies { name: keyof Fields; label: string }[];

const MAX_PARCELS = 99;
const MAX_WEIGHT_KG = 2000;
const MAX_SIDE_CM = 1000;
const UNKNOWN = '';

/** Returns the form for equal parcels; different ones leave their weight and sizes open. With `size`, only the sizes. */
export function fieldsOf(parcels: readonly Parcel[]): Fields;
export function fieldsOf(parcels: readonly Parcel[], only: 'size'): Pick<Fields, 'length' | 'width' | 'height'>;
export function fieldsOf(parcels: readonly Parcel[], only?: 'size'): Partial<Fields> {
  const [first] = parcels;
  const isEqual = first !== undefined && parcels.every((one) => areSame([one], [first]));
  const text = (value: number | undefined): string => (isEqual && value ? typed(value) : UNKNOWN);
  const size = { length: text(first?.length_cm), width: text(first?.width_cm), height: text(first?.height_cm) };
  return only ? size : { count: String(Math.max(1, parcels.length)), weight: text(first?.weight_kg), ...size };
}

/** Returns the parcels of the form; null: a value is impossible. An untouched form leaves them as they are. */
export function parcelsOf(fields: Fields, known: readonly Parcel[]): readonly Parcel[] | null {
  if (JSON.stringify(fields) === JSON.stringify(fieldsOf(known))) return known;
  const amount = numberOf(fields.count);
  const parcel = {
    weight_kg: numberOf(fields.weight),
    length_cm: numberOf(fields.length),
    width_cm: numberOf(fields.width),
    height_cm: numberOf(fields.height),
  };
  const { weight_kg, ...sides } = parcel;
  const isPossible =
    Number.isInteger(amount) &&
    amount >= 1 &&
    amount <= MAX_PARCELS &&
    weight_kg > 0 &&
    weight_kg <= MAX_WEIGHT_KG &&
    Object.values(sides).every((side) => side >= 0 && side <= MAX_SIDE_CM);
  return isPossible ? Array.from({ length: amount }, () => parcel) : null;
}

/** Reads a number with a point or an Italian comma; an empty text is zero. */
function numberOf(text: string): number {
  const trimmed = text.trim().replace(',', '.');
  return trimmed === '' ? 0 : Number(trimmed);
}

/** Writes a number as the person would type it. */
function typed(value: number): string {
  return currentLanguage() === 'it' ? String(value).replace('.', ',') : String(value);
}
