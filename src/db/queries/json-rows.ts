import type { EntityName, MetadataStorage } from '@mikro-orm/core';

/** A row as `row_to_json` writes it. */
export type JsonRow = Record<string, unknown>;

interface Column {
  property: string;
  /** What JSON has no type for; null: it is already what the entity has. */
  read: ((value: never) => unknown) | null;
}

const READERS: Readonly<Record<string, (value: never) => unknown>> = {
  timestamptz: (text: string) => new Date(text),
  // A JSON number has lost the zeros at the end, and nobody needs them.
  numeric: (value: number) => String(value),
};

/** The ORM, or an entity manager of it. */
interface Described {
  getMetadata(): MetadataStorage;
}

const columnsByEntity = new WeakMap<object, ReadonlyMap<string, Column>>();

/** The properties of an entity, as far as their columns are in the JSON: what the ORM makes of it, without an entity that is watched. */
export function rowOf<Row extends object>(orm: Described, entity: EntityName<Row>, json: JsonRow): Row {
  const columns = columnsOf(orm, entity);
  const row: Record<string, unknown> = {};
  for (const name of Object.keys(json)) {
    const column = columns.get(name);
    if (!column) continue;
    const value = json[name];
    row[column.property] = column.read && value !== null ? column.read(value as never) : value;
  }
  return row as Row;
}

export function rowsOf<Row extends object>(
  orm: Described,
  entity: EntityName<Row>,
  json: readonly JsonRow[] | null,
): Row[] {
  return (json ?? []).map((one) => rowOf(orm, entity, one));
}

function columnsOf<Row extends object>(orm: Described, entity: EntityName<Row>): ReadonlyMap<string, Column> {
  const known = columnsByEntity.get(entity as object);
  if (known) return known;
  const pairs = Object.values(orm.getMetadata().get(entity).properties).map((property) => {
    const { name, fieldNames, columnTypes } = property as { name: string; fieldNames: string[]; columnTypes: string[] };
    const type = /^[a-z]+/.exec(columnTypes[0] ?? '')?.[0] ?? '';
    return [fieldNames[0] ?? name, { property: name, read: READERS[type] ?? null }] as const;
  });
  const columns = new Map(pairs);
  columnsByEntity.set(entity as object, columns);
  return columns;
}
