import { Readable } from 'node:stream';

/**
 * Returns a stream once its first bytes exist, so that an earlier failure becomes a proper error answer instead of a broken one.
 * The chunks stop when the client stops reading.
 */
export async function startedStream(chunks: AsyncIterable<Buffer>): Promise<Readable> {
  const iterator = chunks[Symbol.asyncIterator]();
  const first = await iterator.next();
  async function* all(): AsyncGenerator<Buffer> {
    try {
      for (let next = first; !next.done; next = await iterator.next()) yield next.value;
    } finally {
      await iterator.return?.();
    }
  }
  return Readable.from(all());
}
