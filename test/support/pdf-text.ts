import { extractText } from 'unpdf';

/** Extracts the text of each page as a reader would copy it, with single spaces. */
export async function textOfPages(pdf: Uint8Array): Promise<string[]> {
  const { text } = await extractText(new Uint8Array(pdf));
  return text.map((page) => page.replaceAll(/\s+/g, ' '));
}
