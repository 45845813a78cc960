import { promisify } from 'node:util';
import { zstdCompressSync, zstdDecompress } from 'node:zlib';

const decompress = promisify(zstdDecompress);

/** Request and answer of one exchange, redacted. */
export interface ExchangeBodies {
  request: string;
  response: string;
}

const MAX_CHARACTERS = 16_384;

/** Compresses both texts, and cuts them until they fit the limit. */
export function packBodies(bodies: ExchangeBodies, maxBytes: number): Buffer {
  for (let characters = MAX_CHARACTERS; ; characters = Math.floor(characters / 2)) {
    const { request, response } = bodies;
    const cut = { request: shorten(request, characters), response: shorten(response, characters) };
    // Synchronous, because compressing a few kilobytes is faster than a hand-over to another thread.
    const packed = zstdCompressSync(JSON.stringify(cut));
    if (packed.length <= maxBytes || characters === 0) return packed;
  }
}

export async function unpackBodies(packed: Buffer): Promise<ExchangeBodies> {
  return JSON.parse((await decompress(packed)).toString('utf8')) as ExchangeBodies;
}

/** Returns the beginning of a long text with a note about the cut. Never splits a surrogate pair. */
export function shorten(text: string, characters: number): string {
  if (text.length <= characters) return text;
  const end = /[\ud800-\udbff]/.test(text.charAt(characters - 1)) ? characters - 1 : characters;
  return `${text.slice(0, end)}[cut after ${end} of ${text.length} characters]`;
}
