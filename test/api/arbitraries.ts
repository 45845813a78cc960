import { gzipSync } from 'node:zlib';
import fc from 'fast-check';

/** Keys that have hurt others: prototypes, pointers' own characters, half of a surrogate pair, NUL. */
const nastyKey = fc.constantFrom('__proto__', 'constructor', 'a/b~c', '\ud800', '\u0000', '', 'è😀');

const nastyText = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '\u0000',
    'a\u0000b',
    '\ud800',
    'x\udc00',
    '‮',
    "'; drop table orders; --",
    '%',
    '1e3',
    'NaN',
  ),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.integer({ min: 100, max: 5000 }).map((length) => 'x'.repeat(length)),
);

const nastyNumber = fc.oneof(
  fc.constantFrom(0, -0, -1, 0.1, 1e-300, 1e21, 1e308, 2 ** 31, 2 ** 31 - 1, 2 ** 53, 2 ** 63, 99999999999),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
);

const deep = fc.integer({ min: 20, max: 2000 }).map((depth) => {
  let value: unknown = 'bottom';
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { a: value };
  return value;
});

/** Any JSON value, the ugly ones often. */
export const anyJson: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 3, arbitrary: nastyText },
  { weight: 3, arbitrary: nastyNumber },
  { weight: 2, arbitrary: fc.constantFrom(null, true, false, [], {}) },
  { weight: 3, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  { weight: 1, arbitrary: deep },
  { weight: 2, arbitrary: fc.dictionary(nastyKey, nastyText, { maxKeys: 4 }) },
  { weight: 1, arbitrary: fc.array(nastyNumber, { maxLength: 50 }) },
);

type Edit = {
  at: number;
  change: { kind: 'delete' } | { kind: 'replace'; value: unknown } | { kind: 'add'; key: string; value: unknown };
};

const edit: fc.Arbitrary<Edit> = fc.record({
  at: fc.nat({ max: 200 }),
  change: fc.oneof(
    fc.constant({ kind: 'delete' as const }),
    fc.record({ kind: fc.constant('replace' as const), value: anyJson }),
    fc.record({ kind: fc.constant('add' as const), key: nastyKey, value: anyJson }),
  ),
});

/** A valid body with up to four places deleted, replaced or added to, as the bytes that are sent. */
export function mutated(valid: unknown): fc.Arbitrary<Buffer> {
  return fc.oneof(fc.tuple(edit), fc.array(edit, { minLength: 1, maxLength: 4 })).map((edits) => {
    const holder = { body: structuredClone(valid) };
    // Constants are shared by all runs: an edit inside one would reach every later body, and could make it contain itself.
    for (const one of edits) apply(holder, structuredClone(one));
    return readable(toBytes(holder.body));
  });
}

function toBytes(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value) ?? '');
}

function apply(holder: { body: unknown }, { at, change }: Edit): void {
  const places: { owner: Record<string, unknown>; key: string }[] = [];
  const visit = (owner: Record<string, unknown>, depth: number): void => {
    if (depth > 8) return;
    for (const key of Object.keys(owner)) {
      places.push({ owner, key });
      const child = owner[key];
      if (typeof child === 'object' && child !== null) visit(child as Record<string, unknown>, depth + 1);
    }
  };
  visit(holder, 0);
  const place = places[at % places.length];
  if (!place) return;
  const { owner, key } = place;
  if (change.kind === 'delete') {
    if (Array.isArray(owner)) owner.splice(Number(key), 1);
    else delete owner[key];
  } else if (change.kind === 'replace') owner[key] = change.value;
  else {
    const target = owner[key];
    const value = typeof target === 'object' && target !== null ? target : owner;
    if (Array.isArray(value)) value.push(change.value);
    else define(value, change.key, change.value);
  }
}

/** Also `__proto__` becomes a property of its own. */
function define(owner: object, key: string, value: unknown): void {
  Object.defineProperty(owner, key, { value, enumerable: true, configurable: true, writable: true });
}

/** The bytes as text where a failed property is printed. */
function readable(bytes: Buffer): Buffer {
  return Object.assign(bytes, { [fc.toStringMethod]: () => JSON.stringify(bytes.toString('latin1')) });
}

/** Bytes of a body: the valid one changed, any JSON, text that is nearly JSON, or noise. */
export function anyBody(valid: unknown): fc.Arbitrary<Buffer | null> {
  return fc
    .oneof(
      { weight: 5, arbitrary: mutated(valid) },
      { weight: 2, arbitrary: anyJson.map(toBytes) },
      { weight: 1, arbitrary: fc.constant(toBytes(valid)) },
      { weight: 1, arbitrary: fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)) },
      {
        weight: 1,
        arbitrary: fc
          .constantFrom('{', '[', '{"a":1,}', '\ufeff{}', 'null', '"', '[[[[', 'NaN', '\u0000')
          .map((text) => Buffer.from(text)),
      },
      { weight: 1, arbitrary: fc.constant(gzipSync(toBytes(valid))) },
      { weight: 1, arbitrary: fc.constant(null) },
    )
    .map((bytes) => bytes && readable(bytes));
}

/** Something in the place of a path or query id. `ids` are those of real rows. */
export function anyId(ids: readonly number[]): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...ids.map(String)) },
    { weight: 2, arbitrary: fc.integer().map(String) },
    {
      weight: 3,
      arbitrary: fc
        .constantFrom(
          '0',
          '-1',
          '1.5',
          '1e3',
          '0x1',
          '٣',
          '2147483647',
          '2147483648',
          '999999999999999999',
          '99999999999999999999',
          '%00',
          '1%00',
          '%zz',
          '%',
          '%c0%80',
          '%ff',
          '%2f',
          '%2e%2e',
          '..;',
          'null',
          'undefined',
          'true',
          '%20',
          "1'",
          '__proto__',
        )
        .map((text) => (text === '٣' ? encodeURIComponent(text) : text)),
    },
    {
      weight: 1,
      arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }).map((text) => encodeURIComponent(text)),
    },
  );
}

/** A query string: the parameters a route knows, most of the time, and some that nobody does. */
export function anyQuery(known: readonly string[], ids: readonly number[]): fc.Arbitrary<string> {
  const name = fc.oneof(...(known.length === 0 ? [] : [{ weight: 5, arbitrary: fc.constantFrom(...known) }]), {
    weight: 1,
    arbitrary: fc.constantFrom('orderId', '__proto__', 'constructor', 'orderId[]', 'a%00b', '%zz', '%ff', ''),
  });
  const value = fc.oneof(
    anyId(ids),
    fc.constantFrom('true', 'false', 'TRUE', '2026', '0000', '0050', '9999', '10000', 'pending', '%00', '1&', ''),
  );
  return fc
    .array(fc.tuple(name, value), { maxLength: 4 })
    .map((pairs) => (pairs.length === 0 ? '' : `?${pairs.map(([key, text]) => `${key}=${text}`).join('&')}`));
}

const headerText = fc.string({
  unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)),
  maxLength: 60,
});

/** Headers that the api reads; a content type that is JSON most of the time, so that bodies are reached. */
export const anyHeaders: fc.Arbitrary<Record<string, string>> = fc
  .record(
    {
      'content-type': fc.oneof(
        { weight: 8, arbitrary: fc.constant('application/json') },
        {
          weight: 2,
          arbitrary: fc.constantFrom(
            'application/json; charset=utf-16',
            'application/merge-patch+json',
            'text/plain',
            'multipart/form-data',
            '',
            ';',
            'a/b/c',
          ),
        },
        { weight: 1, arbitrary: headerText },
      ),
      'content-encoding': fc.oneof(
        { weight: 12, arbitrary: fc.constant('identity') },
        { weight: 2, arbitrary: fc.constantFrom('gzip', 'br', 'deflate', 'zstd', 'x', 'gzip, gzip', '') },
      ),
      prefer: fc.oneof(
        fc.constantFrom('respond-async', 'wait=0', 'wait=-1', 'wait=99999999', 'wait=x', ',,,', 'wait=1;x'),
        headerText,
      ),
      'idempotency-key': fc.oneof(
        fc.constantFrom('k1', 'k2', ' ', 'a b', 'x'.repeat(255), 'x'.repeat(256)),
        headerText,
      ),
      'x-request-id': headerText,
      'if-none-match': fc.oneof(fc.constantFrom('*', 'W/"x"', '"'), headerText),
      accept: fc.oneof(fc.constantFrom('text/html', '*/*', 'x'), headerText),
    },
    { requiredKeys: [] },
  )
  .map((headers) => Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, text.trim()])));
