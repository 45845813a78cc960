import { Readable } from 'node:stream';

/**
 * A stream whose first bytes are there: what fails before them is still an answer of its own, and not one that breaks off. Whoever stops
 * reading stops the making.
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
