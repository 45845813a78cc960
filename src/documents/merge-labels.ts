import { PDFDocument } from 'pdf-lib';

/** Several labels as one document, untouched where there is only one. ZPL labels are printed one after the other. */
export async function mergeLabels(labels: readonly Buffer[], isPdf: boolean): Promise<Buffer> {
  const [only] = labels;
  if (only && labels.length === 1) return only;
  if (!isPdf) return Buffer.concat(labels);
  const merged = await PDFDocument.create();
  for (const label of labels) {
    const source = await PDFDocument.load(label);
    for (const page of await merged.copyPages(source, source.getPageIndices())) merged.addPage(page);
  }
  return Buffer.from(await merged.save());
}
