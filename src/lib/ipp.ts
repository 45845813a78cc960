/**
 * Encodes and decodes the messages of IPP that printing needs (RFC 8010, section 3; names and values from RFC 8011).
 * The package `ipp` 2.0.1 writes to the console and reads answers of any length.
 */

export const IPP_OPERATIONS = { printJob: 0x0002, getJobAttributes: 0x0009, getPrinterAttributes: 0x000b } as const;

/** RFC 8010, section 3.5: tags that open a group, and tags of values. */
const TAG = { operation: 0x01, end: 0x03, firstValue: 0x10 } as const;
const VALUE = {
  integer: 0x21,
  boolean: 0x22,
  enum: 0x23,
  name: 0x42,
  keyword: 0x44,
  uri: 0x45,
  charset: 0x47,
} as const;
const LANGUAGE = 0x48;
const MIME = 0x49;
const COLLECTION = { begin: 0x34, end: 0x37 } as const;

export interface IppAttribute {
  tag: keyof typeof VALUE | 'language' | 'mime';
  name: string;
  value: string | number | readonly string[];
}

export interface IppAnswer {
  /** Below 0x0100 is a success. */
  status: number;
  /** Every value of every attribute, whichever group it is in. */
  attributes: ReadonlyMap<string, readonly (string | number)[]>;
}

/** Encodes one request; a document follows it as it is. IPP 1.1, which every printer speaks. */
export function encodeIpp(operation: number, requestId: number, attributes: readonly IppAttribute[]): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt16BE(0x0101, 0);
  head.writeUInt16BE(operation, 2);
  head.writeInt32BE(requestId, 4);
  const first: IppAttribute[] = [
    { tag: 'charset', name: 'attributes-charset', value: 'utf-8' },
    { tag: 'language', name: 'attributes-natural-language', value: 'en' },
  ];
  const body = [...first, ...attributes].flatMap(encodeAttribute);
  return Buffer.concat([head, Buffer.from([TAG.operation]), ...body, Buffer.from([TAG.end])]);
}

/** Decodes an answer. Throws a `RangeError` when it is cut off, or another thing than IPP. */
export function decodeIpp(bytes: Buffer): IppAnswer {
  const attributes = new Map<string, (string | number)[]>();
  const status = bytes.readUInt16BE(2);
  let at = 8;
  let name = '';
  let depth = 0;
  const take = (length: number): Buffer => {
    if (at + length > bytes.length) throw new RangeError('The IPP answer is cut off');
    at += length;
    return bytes.subarray(at - length, at);
  };
  while (true) {
    const tag = bytes.readUInt8(at++);
    if (tag === TAG.end) return { status, attributes };
    if (tag < TAG.firstValue) continue;
    const nameLength = take(2).readUInt16BE();
    const ownName = take(nameLength).toString('utf8');
    const value = take(take(2).readUInt16BE());
    if (tag === COLLECTION.begin) depth += 1;
    else if (tag === COLLECTION.end) depth -= 1;
    else if (depth === 0) {
      // An empty name adds a value to the attribute before it.
      if (ownName !== '') name = ownName;
      attributes.set(name, [...(attributes.get(name) ?? []), readValue(tag, value)]);
    }
  }
}

function readValue(tag: number, value: Buffer): string | number {
  if ((tag === VALUE.integer || tag === VALUE.enum) && value.length === 4) return value.readInt32BE();
  if (tag === VALUE.boolean && value.length === 1) return value.readUInt8();
  return value.toString('utf8');
}

function encodeAttribute({ tag, name, value }: IppAttribute): Buffer[] {
  const values = typeof value === 'object' ? value : [value];
  return values.map((one, index) => {
    const named = Buffer.from(index === 0 ? name : '');
    const bytes = typeof one === 'number' ? int32(one) : Buffer.from(one);
    return Buffer.concat([Buffer.from([tagOf(tag)]), uint16(named.length), named, uint16(bytes.length), bytes]);
  });
}

function tagOf(tag: IppAttribute['tag']): number {
  if (tag === 'language') return LANGUAGE;
  return tag === 'mime' ? MIME : VALUE[tag];
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}
