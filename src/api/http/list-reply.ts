import { z } from 'zod';
import { TABLE_TYPES, type TableCell, type TableFormat, tableBytes } from '../../documents/table-stream.ts';
import { nextPage } from './paging.ts';
import type { Reply, ResponseDoc, RouteRequest } from './route.ts';
import { startedStream } from './started-stream.ts';

const EXPORT_PAGE = 1000;

/** The parameter of lists that can be a table. A link in a browser carries it, where an Accept header cannot be set. */
export const ListFormat = z
  .enum(['json', 'csv', 'xlsx'])
  .optional()
  .describe('csv or xlsx: everything the filter finds, as a file without pages. The Accept header says the same');

/** Returns the 200 of a list that can be a table. */
export function listDoc(description: string, schema: z.ZodType): ResponseDoc {
  return { description, schema, contentTypes: Object.values(TABLE_TYPES).map((type) => type.replace(/;.*/, '')) };
}

/** Column names and their cells. */
export type Columns<Body> = Readonly<Record<string, (body: Body) => TableCell>>;

export interface List<Row, Body extends { id: number }> {
  /** The path of the list, without its first slash; also the name of the file. */
  name: string;
  limit: number;
  cursor: number | null;
  query: Record<string, unknown> & { format?: 'json' | TableFormat | undefined };
  read(page: { limit: number; beforeId: number | null }): Promise<Row[]>;
  body(row: Row): Body;
  columns: Columns<Body>;
}

/** Returns one page as JSON, or all rows as a table. A table is read in pages, so its size does not matter. */
export async function listReply<Row, Body extends { id: number }>(
  { preferred }: Pick<RouteRequest<unknown, unknown, unknown>, 'preferred'>,
  list: List<Row, Body>,
): Promise<Reply> {
  const format = list.query.format ?? formatOf(preferred(['application/json', ...Object.values(TABLE_TYPES)]));
  const { limit } = list;
  if (format === 'json') {
    const body = (await list.read({ limit, beforeId: list.cursor })).map(list.body);
    const next = nextPage(`/${list.name}`, { ids: body.map(({ id }) => id), limit, query: { ...list.query, limit } });
    return { status: 200, body, headers: { Vary: 'Accept', ...next.headers } };
  }
  const content = await startedStream(tableBytes(format, Object.keys(list.columns), pagesOf(list)));
  return {
    status: 200,
    file: { contentType: TABLE_TYPES[format], name: `${list.name}.${format}`, content },
    headers: { Vary: 'Accept' },
  };
}

function formatOf(type: string | null): 'json' | TableFormat {
  return (['csv', 'xlsx'] as const).find((format) => TABLE_TYPES[format] === type) ?? 'json';
}

async function* pagesOf<Row, Body extends { id: number }>({
  read,
  body,
  columns,
  cursor,
}: List<Row, Body>): AsyncGenerator<TableCell[][]> {
  let beforeId = cursor;
  for (;;) {
    const bodies = (await read({ limit: EXPORT_PAGE, beforeId })).map(body);
    yield bodies.map((row) => Object.values(columns).map((cell) => cell(row)));
    const last = bodies.at(-1);
    if (last === undefined || bodies.length < EXPORT_PAGE) return;
    beforeId = last.id;
  }
}
