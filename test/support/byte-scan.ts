import { inflateSync, zstdDecompressSync } from 'node:zlib';
import { Redis } from 'ioredis';
import pg from 'pg';

/** Bytes and the place where they lie. */
interface Piece {
  place: string;
  text: string;
}

const STREAM = Buffer.from('stream\n');
const END = Buffer.from('endstream');

/** Returns the places that hold one of the markers, in rows of every table: also inside compressed texts and PDF files. */
export async function scanRows(databaseUrl: string, markers: readonly string[]): Promise<string[]> {
  return withClient(databaseUrl, async (client) => {
    const { rows: tables } = await client.query<{ name: string }>(
      `select quote_ident(table_schema) || '.' || quote_ident(table_name) as name from information_schema.tables
        where table_schema not in ('pg_catalog', 'information_schema') and table_type = 'BASE TABLE'`,
    );
    const found: string[] = [];
    for (const { name } of tables) {
      const { rows } = await client.query<Record<string, unknown>>(`select * from ${name}`);
      const pieces = rows.flatMap((row) =>
        Object.entries(row).map(([column, value]) => ({ place: `${name}.${column}`, text: textOf(value) })),
      );
      found.push(...placesOf(pieces, markers));
    }
    return [...new Set(found)].toSorted();
  });
}

/** Returns the files of tables, indexes and TOAST whose pages hold one of the markers, dead rows included. */
export async function scanPages(databaseUrl: string, markers: readonly string[]): Promise<string[]> {
  return withClient(databaseUrl, async (client) => {
    await client.query('checkpoint');
    const { rows } = await client.query<{ name: string; bytes: Buffer }>(
      `select c.oid::regclass::text as name, pg_read_binary_file(pg_relation_filepath(c.oid), 0, 1000000000, true) as bytes
         from pg_class c where c.relkind in ('r', 'i', 't') and pg_relation_filepath(c.oid) is not null and c.relfilenode <> 0`,
    );
    return placesOf(
      rows.map(({ name, bytes }) => ({ place: name, text: bytes.toString('latin1') })),
      markers,
    );
  });
}

/** Writes every table again without its dead rows, and its statistics too. */
export async function rewriteTables(databaseUrl: string): Promise<void> {
  await withClient(databaseUrl, (client) => client.query('vacuum (full, analyze)'));
}

/** Returns the keys of a queue in Redis whose contents hold one of the markers. */
export async function scanRedis(url: string, prefix: string, markers: readonly string[]): Promise<string[]> {
  const redis = new Redis(url);
  const pieces: Piece[] = [];
  for (const key of await redis.keys(`${prefix}*`)) {
    const type = await redis.type(key);
    const read: Record<string, () => Promise<unknown>> = {
      hash: () => redis.hgetall(key),
      list: () => redis.lrange(key, 0, -1),
      zset: () => redis.zrange(key, '0', '-1'),
      set: () => redis.smembers(key),
      stream: () => redis.xrange(key, '-', '+'),
      string: () => redis.get(key),
    };
    pieces.push({ place: key, text: JSON.stringify(await read[type]?.()) ?? '' });
  }
  redis.disconnect();
  return placesOf(pieces, markers);
}

/** Returns the places whose text holds one of the markers, in any case. */
export function placesOf(pieces: readonly Piece[], markers: readonly string[]): string[] {
  return pieces
    .filter(({ text }) => markers.some((marker) => text.toLowerCase().includes(marker.toLowerCase())))
    .map(({ place }) => place);
}

/** Returns a value as text, and what is compressed in it as well. */
export function textOf(value: unknown): string {
  if (!Buffer.isBuffer(value)) return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return [value.toString('latin1'), ...unpacked(value)].join('\n');
}

function unpacked(bytes: Buffer): string[] {
  try {
    return [zstdDecompressSync(bytes).toString('utf8')];
  } catch {
    // No exchange: perhaps a PDF.
  }
  const texts: string[] = [];
  for (let at = bytes.indexOf(STREAM); at >= 0; at = bytes.indexOf(STREAM, at + 1)) {
    const from = at + STREAM.length;
    try {
      texts.push(readable(inflateSync(bytes.subarray(from, bytes.indexOf(END, from))).toString('latin1')));
    } catch {
      // A stream of another kind.
    }
  }
  return texts;
}

/** Adds the text of hexadecimal strings, in which PDF files write theirs. */
function readable(page: string): string {
  return `${page}\n${page.replaceAll(/<([0-9a-f]+)>/gi, (_all, hex: string) => Buffer.from(hex, 'hex').toString('latin1'))}`;
}

async function withClient<Result>(url: string, run: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await run(client);
  } finally {
    await client.end();
  }
}
