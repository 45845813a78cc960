type Row = Record<string, unknown>;

interface Filter {
  field: string;
  value: string;
  condition: string;
}

interface Criteria {
  /** All groups must hold, of each group one filter. */
  groups: Filter[][];
  sort: { field: string; isAscending: boolean }[];
  pageSize: number | null;
  currentPage: number;
}

const CONDITIONS: Readonly<Record<string, (order: number, value: string, field: unknown) => boolean>> = {
  eq: (order) => order === 0,
  neq: (order) => order !== 0,
  gt: (order) => order > 0,
  gteq: (order) => order >= 0,
  moreq: (order) => order >= 0,
  lt: (order) => order < 0,
  lteq: (order) => order <= 0,
  in: (_order, value, field) => value.split(',').includes(String(field)),
  nin: (_order, value, field) => !value.split(',').includes(String(field)),
  null: (_order, _value, field) => field === null,
  notnull: (_order, _value, field) => field !== null,
};

/** Reads the search criteria, which Magento requires; null when the address has none. */
export function readCriteria(query: URLSearchParams): Criteria | null {
  const isGiven = [...query.keys()].some((name) => name.startsWith('searchCriteria'));
  if (!isGiven) return null;
  const groups: Partial<Filter>[][] = [];
  const sort: { field?: string; direction?: string }[] = [];
  for (const [name, value] of query) {
    const filter = /^searchCriteria\[filter_?groups\]\[(\d+)\]\[filters\]\[(\d+)\]\[(\w+)\]$/i.exec(name);
    const order = /^searchCriteria\[sort_?orders\]\[(\d+)\]\[(\w+)\]$/i.exec(name);
    if (filter) {
      const [, group = 0, place = 0, part = ''] = filter;
      groups[Number(group)] ??= [];
      const filters = groups[Number(group)] as Partial<Filter>[];
      const known = /^condition_?type$/i.test(part) ? 'condition' : part;
      filters[Number(place)] = { ...filters[Number(place)], [known]: value };
    }
    if (order) sort[Number(order[1])] = { ...sort[Number(order[1])], [order[2] ?? '']: value };
  }
  const number = (name: string): number => Number(query.get(`searchCriteria[${name}]`) ?? 0);
  return {
    groups: groups.map((filters) => filters.map((each) => ({ field: '', value: '', condition: 'eq', ...each }))),
    sort: sort.map(({ field = '', direction }) => ({ field, isAscending: direction?.toUpperCase() === 'ASC' })),
    pageSize: number('pageSize') || number('page_size') || null,
    currentPage: number('currentPage') || number('current_page') || 1,
  };
}

/**
 * Selects the rows of a page; beyond the last page there is the last page. Null when a field or condition is unknown: the
 * database then fails.
 */
export function select<Found extends Row>(
  rows: readonly Found[],
  criteria: Criteria,
  columns: readonly string[],
): { items: Found[]; total_count: number } | null {
  const { groups, sort, pageSize, currentPage } = criteria;
  const filters = groups.flat();
  const isKnown =
    [...filters, ...sort].every(({ field }) => columns.includes(field)) &&
    filters.every(({ condition }) => condition in CONDITIONS);
  if (!isKnown) return null;
  const found = rows
    .filter((row) => groups.every((group) => group.some((filter) => holds(row, filter))))
    .toSorted((a, b) => {
      for (const { field, isAscending } of sort) {
        const order = compare(a[field], b[field]);
        if (order !== 0) return isAscending ? order : -order;
      }
      return 0;
    });
  const size = pageSize ?? Math.max(found.length, 1);
  const page = Math.min(currentPage, Math.max(1, Math.ceil(found.length / size)));
  return { items: found.slice((page - 1) * size, page * size), total_count: found.length };
}

function holds(row: Row, { field, value, condition }: Filter): boolean {
  return CONDITIONS[condition]?.(compare(row[field], value), value, row[field]) ?? false;
}

function compare(a: unknown, b: unknown): number {
  const [left, right] = [String(a ?? ''), String(b ?? '')];
  const areNumbers = [left, right].every((text) => /^-?\d+(\.\d+)?$/.test(text));
  if (areNumbers) return Number(left) - Number(right);
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
