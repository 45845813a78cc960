/** Encodes pages as one JSON array, a page at a time. */
export async function* jsonArray(pages: AsyncIterable<readonly unknown[]>): AsyncGenerator<Buffer> {
  let opening = '[';
  for await (const page of pages) {
    if (page.length === 0) continue;
    yield Buffer.from(opening + page.map((element) => JSON.stringify(element)).join(','));
    opening = ',';
  }
  yield Buffer.from(opening === '[' ? '[]' : ']');
}
