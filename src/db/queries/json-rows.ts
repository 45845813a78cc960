import type { EntityName, MetadataStorage } from '@mikro-orm/core';

/** A row as `row_to_json` writes it. */
export type JsonRow = Record<string, unknown>;

interface Column {
  property: string;
  /** Converts a type that JSON lacks; null: the entity has the JSON type. */
  read: ((value: never) => unknown) | null;
}

const READERS: Readonly<Record<string, (value: never) => unknown>> = {
  timestamptz: (text: string) => new Date(text),
  // A JSON number has lost its trailing zeros, which no caller needs.
  numeric: (value: number) => String(value),
};

/** The ORM, or one of its entity managers. */
export interface Described {
  getMetadata(): MetadataStorage;
}

const columnsByEntity = new WeakMap<object, ReadonlyMap<string, Column>>();

/** Returns the properties of an entity whose columns are in the JSON: the ORM's values, without a managed entity. */
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
