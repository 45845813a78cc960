import { inflateRawSync } from 'node:zlib';

/** A file inside a ZIP archive, unpacked. */
export interface ZipPart {
  name: string;
  bytes: Buffer;
}

/** An untrustworthy archive; the message says why, for a person. */
export class ZipError extends Error {}

const END_SIGNATURE = 0x06054b50;
const END_BYTES = 22;
const MAX_COMMENT = 0xffff;
const ENTRY_SIGNATURE = 0x02014b50;
const ENTRY_BYTES = 46;
const LOCAL_SIGNATURE = 0x04034b50;
const LOCAL_BYTES = 30;
/** Follows the data of a part that was streamed; it cannot hold the header of a further part. */
const MAX_DESCRIPTOR = 24;
const STORED = 0;
const DEFLATED = 8;

interface Entry {
  name: string;
  method: number;
  size: number;
  offset: number;
}

/**
 * Returns the parts of an archive, if all of them together have at most `maxBytes`. A small archive may unpack to more
 * than memory holds. Its parts must lie one behind the other, so that a reader of their own headers sees the same ones.
 */
export function unzipBounded(archive: Buffer, maxBytes: number): ZipPart[] {
  const { entries, end } = directoryOf(archive);
  const parts: ZipPart[] = [];
  let reached = 0;
  let left = maxBytes;
  for (const entry of entries.toSorted((a, b) => a.offset - b.offset)) {
    if (entry.offset < reached || entry.offset - reached > MAX_DESCRIPTOR) throw new ZipError('it is damaged');
    const start = dataStart(archive, entry.offset);
    reached = start + entry.size;
    const bytes = unpacked(archive.subarray(start, reached), entry.method, left);
    left -= bytes.length;
    parts.push({ name: entry.name, bytes });
  }
  if (end < reached || end - reached > MAX_DESCRIPTOR) throw new ZipError('it is damaged');
  return parts;
}

function directoryOf(archive: Buffer): { entries: Entry[]; end: number } {
  const last = archive.length - END_BYTES;
  for (let at = last; at >= Math.max(0, last - MAX_COMMENT); at -= 1) {
    if (archive.readUInt32LE(at) !== END_SIGNATURE) continue;
    const count = archive.readUInt16LE(at + 10);
    const start = archive.readUInt32LE(at + 16);
    return { entries: readEntries(archive, start, count), end: start };
  }
  throw new ZipError('it is damaged');
}

function readEntries(archive: Buffer, start: number, count: number): Entry[] {
  let at = start;
  return Array.from({ length: count }, () => {
    need(archive, at, ENTRY_BYTES, ENTRY_SIGNATURE);
    const isEncrypted = (archive.readUInt16LE(at + 8) & 1) === 1;
    if (isEncrypted) throw new ZipError('it is protected by a password');
    const [nameLength, extra, comment] = [28, 30, 32].map((offset) => archive.readUInt16LE(at + offset)) as [
      number,
      number,
      number,
    ];
    const name = archive.toString('utf8', at + ENTRY_BYTES, at + ENTRY_BYTES + nameLength);
    const entry = {
      name,
      method: archive.readUInt16LE(at + 10),
      size: archive.readUInt32LE(at + 20),
      offset: archive.readUInt32LE(at + 42),
    };
    at += ENTRY_BYTES + nameLength + extra + comment;
    return entry;
  });
}

function dataStart(archive: Buffer, offset: number): number {
  need(archive, offset, LOCAL_BYTES, LOCAL_SIGNATURE);
  return offset + LOCAL_BYTES + archive.readUInt16LE(offset + 26) + archive.readUInt16LE(offset + 28);
}

function need(archive: Buffer, at: number, length: number, signature: number): void {
  if (at + length > archive.length || archive.readUInt32LE(at) !== signature) throw new ZipError('it is damaged');
}

function unpacked(data: Buffer, method: number, left: number): Buffer {
  if (method !== STORED && method !== DEFLATED) throw new ZipError('it is packed in a way that is not known');
  if (method === STORED) {
    if (data.length > left) throw new ZipError('it holds too much');
    return data;
  }
  try {
    // At least one byte, because zero would mean no limit.
    return inflateRawSync(data, { maxOutputLength: Math.max(1, left) });
  } catch (cause) {
    const isTooLarge = (cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    throw new ZipError(isTooLarge ? 'it holds too much' : 'it is damaged', { cause });
  }
}
