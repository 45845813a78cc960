import type { Row } from './tables.ts';

type Query = Record<string, unknown>;
export type Selection = { rows: Row[]; shown: readonly string[] } | { invalid: string };

const KNOWN = new Set([
  'display',
  'sort',
  'limit',
  'date',
  'output_format',
  'id_shop',
  'id_group_shop',
  'id_shop_group',
]);

/** Selects by the list parameters of the webservice, and refuses an unknown one. */
export function selectRows(all: readonly Row[], query: Query, fields: readonly string[]): Selection {
  const filterable = query.date === '1' ? fields : fields.filter((field) => !field.startsWith('date_'));
  let rows = [...all];
  for (const [name, value] of Object.entries(query)) {
    const [, field] = /^filter\[(\w+)\]$/.exec(name) ?? [];
    if (field === undefined) {
      if (!KNOWN.has(name)) return { invalid: `Unknown parameter "${name}"` };
      continue;
    }
    if (!filterable.includes(field)) return { invalid: `This filter does not exist: "${field}"` };
    const accepts = condition(String(value));
    rows = rows.filter((row) => accepts(String(row[field] ?? '')));
  }
  const order = sorting(query.sort, filterable);
  if (order === null) return { invalid: 'The "sort" parameter has to be formed as this: [field_ASC]' };
  const limit = /^(?:(\d+),)?(\d+)$/.exec(String(query.limit ?? '0,1000000'));
  if (!limit) return { invalid: 'The "limit" value has to be an integer or two, with a comma between' };
  const shown = fieldsOf(query.display, fields);
  if (shown === null) return { invalid: 'The "display" parameter names a field that does not exist' };
  const from = Number(limit[1] ?? 0);
  return { rows: rows.sort(order).slice(from, from + Number(limit[2])), shown };
}

/** `[a|b]`, `[a,b]` without its end, `>[x]`, `<[x]`, `![x]`, `[x]%`, `%[x]%` and the bare value. */
function condition(filter: string): (value: string) => boolean {
  const [, operator = '', inside = '', wildcard = ''] = /^([<>!%]?)\[(.*)\](%?)$/.exec(filter) ?? ['', '', filter];
  if (operator === '>') return (value) => compare(value, inside) > 0;
  if (operator === '<') return (value) => compare(value, inside) < 0;
  if (operator === '!') return (value) => value !== inside;
  if (operator === '%') return (value) => value.includes(inside);
  if (wildcard === '%') return (value) => value.startsWith(inside);
  const [first = '', second] = inside.split(',');
  if (second !== undefined) return (value) => compare(value, first) >= 0 && compare(value, second) < 0;
  return (value) => inside.split('|').includes(value);
}

function sorting(sort: unknown, fields: readonly string[]): ((a: Row, b: Row) => number) | null {
  if (sort === undefined) return () => 0;
  const [, inside = ''] = /^\[(.+)\]$/.exec(String(sort)) ?? [];
  const keys = inside.split(',').map((part) => /^(\w+)_(ASC|DESC)$/.exec(part));
  if (keys.some((key) => !key || !fields.includes(key[1] ?? ''))) return null;
  return (a, b) => {
    for (const key of keys) {
      const [, field = '', direction] = key ?? [];
      const order = compare(String(a[field]), String(b[field]));
      if (order !== 0) return direction === 'ASC' ? order : -order;
    }
    return 0;
  };
}

/** Without `display` a list shows ids alone. */
function fieldsOf(display: unknown, fields: readonly string[]): readonly string[] | null {
  if (display === undefined) return ['id'];
  if (display === 'full') return fields;
  const chosen = String(display)
    .replace(/^\[|\]$/g, '')
    .split(',');
  return chosen.every((field) => fields.includes(field)) ? chosen : null;
}

function compare(a: string, b: string): number {
  if (/^\d+$/.test(a) && /^\d+$/.test(b)) return Number(a) - Number(b);
  return a < b ? -1 : a > b ? 1 : 0;
}
