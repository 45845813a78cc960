import { inflateSync } from 'node:zlib';
import { degrees, PDFArray, PDFDict, PDFDocument, PDFName, type PDFRawStream, StandardFonts } from 'pdf-lib';
import { describe, expect, it } from 'vitest';
import { PdfWriter } from '../../src/documents/pdf-writer.ts';
import { SourcePdf } from '../../src/documents/source-pdf.ts';

async function openedPage(rotate: number) {
  const document = await PDFDocument.create();
  const page = document.addPage([300, 500]);
  page.setCropBox(10, 20, 200, 400);
  page.setRotation(degrees(rotate));
  const source = await SourcePdf.open(Buffer.from(await document.save()), new PdfWriter());
  const [opened] = source.pages;
  if (!opened) throw new Error('No page');
  return opened;
}

describe('a page of another PDF', () => {
  it.each([
    [0, [200, 400], [0, 0], [200, 400]],
    [90, [400, 200], [0, 200], [400, 0]],
    [180, [200, 400], [200, 400], [0, 0]],
    [270, [400, 200], [400, 0], [0, 200]],
    [-90, [400, 200], [400, 0], [0, 200]],
  ])(
    'turned by %d degrees is %j, and its lower left corner is seen at %j',
    async (rotate, size, lowerLeft, upperRight) => {
      const page = await openedPage(rotate);

      const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = page.uprightMatrix;
      const seen = (x: number, y: number) => [a * x + c * y + e, b * x + d * y + f].map((value) => value + 0);

      expect([page.size.width, page.size.height]).toEqual(size);
      expect(seen(10, 20)).toEqual(lowerLeft);
      expect(seen(210, 420)).toEqual(upperRight);
    },
  );

  it('brings along what its parents have, what it shares with others once, and nothing of other pages', async () => {
    const document = await PDFDocument.create();
    const font = await document.embedFont(StandardFonts.Courier);
    for (const text of ['primo', 'secondo']) {
      const page = document.addPage([100, 100]);
      page.drawText(text, { font, x: 5, y: 50, size: 9 });
      page.node.set(PDFName.of('Dest'), document.context.obj([document.getPage(0).ref]));
    }
    const parent = document.catalog.Pages();
    parent.set(PDFName.of('Rotate'), document.context.obj(90));
    const writer = new PdfWriter();
    const source = await SourcePdf.open(Buffer.from(await document.save()), writer);
    for (const page of source.pages) source.copyPage(page);
    writer.end();

    const bytes = writer.take();
    const copied = await PDFDocument.load(bytes, { throwOnInvalidObject: true });

    expect(copied.getPages().map((page) => page.getRotation().angle)).toEqual([90, 90]);
    expect(bytes.toString('latin1').match(/\/BaseFont \/Courier/g)).toHaveLength(1);
    expect(bytes.toString('latin1').match(/\/Type \/Page\b/g)).toHaveLength(2);
  });

  it('whose content is in pieces is one program on a sheet', async () => {
    const document = await PDFDocument.create();
    const page = document.addPage([100, 100]);
    const pieces = ['q 1 0 0 RG', '5 5 90 90 re S', 'Q'].map((piece) =>
      document.context.register(document.context.flateStream(piece)),
    );
    page.node.set(PDFName.of('Contents'), document.context.obj(pieces));
    const writer = new PdfWriter();
    const source = await SourcePdf.open(Buffer.from(await document.save()), writer);
    const [opened] = source.pages;
    const form = opened ? source.copyAsForm(opened) : 0;
    writer.page(`/MediaBox [0 0 100 100] /Resources << /XObject << /L1 ${form} 0 R >> >>`);
    writer.end();

    const copied = await PDFDocument.load(writer.take(), { throwOnInvalidObject: true });
    const resources = copied.getPage(0).node.Resources();
    const stream = resources?.lookup(PDFName.of('XObject'), PDFDict).lookup(PDFName.of('L1')) as PDFRawStream;

    expect(inflateSync(stream.getContents()).toString()).toBe('q 1 0 0 RG\n5 5 90 90 re S\nQ\n');
    expect(stream.dict.lookup(PDFName.of('BBox'), PDFArray).size()).toBe(4);
  });
});
