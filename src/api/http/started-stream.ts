import { Readable } from 'node:stream';

/**
 * Returns a stream once its first bytes exist, so that an earlier failure becomes a proper error answer instead of a broken one.
 * The chunks stop when the client stops reading.
 */
export async function startedStream(chunks: AsyncIterable<Buffer>): Promise<Readable> {
  const iterator = chunks[Symbol.asyncIterator]();
  const first = await iterator.next();
  async function* all(): AsyncGenerator<Buffer> {
    for (let next = first; !next.done; next = await iterator.next()) yield next.value;
  }
  // A generator that was never asked for anything does not run its `finally`: a HEAD request ends the stream before that.
  return Readable.from(all()).once('close', () => void iterator.return?.());
}
