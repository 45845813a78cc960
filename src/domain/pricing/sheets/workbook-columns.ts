/** The form of a field in one cell. */
export type FieldKind =
  | 'text'
  /** A whole or decimal number. */
  | 'number'
  /** Money or percent: a number stays one, a text stays a text, so that `7.50` keeps its zero. */
  | 'amount'
  | 'list'
  /** A list whose leading zeros count. */
  | 'postal-codes'
  /** The base of a percentage: one of two words, or a list. */
  | 'base';

/** A column of a sheet and its field. */
export interface Column {
  heading: string;
  path: readonly string[];
  kind: FieldKind;
}

/** A sheet with one record in a row; rows without the first column continue the record above. */
export interface TableLayout {
  sheet: string;
  /** The part of the price list in this sheet. */
  field: 'zones' | 'areas' | 'surcharges' | 'options';
  columns: readonly Column[];
}

function columns(kind: FieldKind, ...paths: string[]): Column[] {
  return paths.map((heading) => ({ heading, path: heading.split('.'), kind }));
}

/** Columns of a match, whose fields stand one level deeper in the price list. */
function matchColumns(...names: string[]): Column[] {
  return names.map((heading) => ({
    heading,
    path: ['match', heading],
    kind: heading === 'postalCodes' ? 'postal-codes' : 'list',
  }));
}

export const TARIFF_SHEET = 'Tariff';
export const PRICES_SHEET = 'Prices';

/** The fields of the list itself, one a row. */
export const TARIFF_FIELDS: readonly Column[] = [
  ...columns('text', 'name', 'currency'),
  ...columns('number', 'rounding', 'volumetric'),
  ...columns('text', 'parcels'),
];

export const ZONES: TableLayout = {
  sheet: 'Zones',
  field: 'zones',
  columns: [
    ...columns('text', 'code', 'name', 'label'),
    ...matchColumns('countries', 'regions', 'provinces', 'postalCodes', 'places', 'areas'),
  ],
};

export const AREAS: TableLayout = {
  sheet: 'Areas',
  field: 'areas',
  columns: [...columns('text', 'code', 'name'), ...matchColumns('regions', 'provinces', 'postalCodes', 'places')],
};

export const SURCHARGES: TableLayout = {
  sheet: 'Surcharges',
  field: 'surcharges',
  columns: [
    ...columns('text', 'name', 'kind'),
    ...columns('amount', 'amount', 'purchaseAmount'),
    ...columns('text', 'from', 'to', 'per'),
    ...columns('base', 'base'),
    ...columns('amount', 'minimum'),
    ...columns('list', 'when.zones', 'when.areas'),
    ...columns('postal-codes', 'when.postalCodes'),
    ...columns('number', 'when.overGrams', 'when.overParcels', 'when.parcelOverGrams'),
    ...columns('number', 'when.parcelOverMm', 'when.parcelGirthOverMm'),
  ],
};

/** Rows of a surcharge below its first: one of its `amounts` each. */
export const DATED_AMOUNT: readonly string[] = ['amount', 'purchaseAmount', 'from', 'to'];

export const OPTIONS: TableLayout = {
  sheet: 'Options',
  field: 'options',
  columns: [
    ...columns('number', 'id'),
    ...columns('text', 'code', 'name', 'description', 'kind'),
    ...columns('amount', 'price', 'minimum', 'maximum', 'purchasePrice', 'purchaseMinimum'),
    ...columns('list', 'carrierCodes', 'paymentTypes'),
  ],
};

export const TABLES: readonly TableLayout[] = [ZONES, AREAS, SURCHARGES, OPTIONS];
