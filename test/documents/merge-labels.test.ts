import fc from 'fast-check';
import { degrees, PDFDocument, StandardFonts } from 'pdf-lib';
import { describe, expect, it } from 'vitest';
import { type LabelToPrint, mergeLabels, type PrintOptions } from '../../src/documents/merge-labels.ts';
import { A4, A6, placeLabel, placesPerSheet, SHEET_LAYOUTS } from '../../src/documents/sheet-layout.ts';

const A6_POINTS: [number, number] = [297.64, 419.53];

interface LabelLook {
  size?: [number, number];
  pages?: number;
  /** Clockwise. */
  rotate?: number;
  text?: string;
}

async function buildLabel({ size = A6_POINTS, pages = 1, rotate = 0, text = 'Etichetta' }: LabelLook = {}) {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  for (let count = 1; count <= pages; count++) {
    const page = document.addPage(size);
    page.drawRectangle({ x: 6, y: 6, width: size[0] - 12, height: size[1] - 12, borderWidth: 2 });
    page.drawText(`${text} ${count}`, { x: 20, y: size[1] - 40, size: 18, font });
    page.setRotation(degrees(rotate));
  }
  return Buffer.from(await document.save());
}

async function* asLabels(files: readonly Buffer[]): AsyncGenerator<LabelToPrint> {
  for (const [index, bytes] of files.entries()) yield { bytes, name: `Ordine ${index + 1}` };
}

async function merge(files: readonly Buffer[], options: Partial<PrintOptions> = {}): Promise<Buffer> {
  const chunks: Buffer[] = [];
  const given: PrintOptions = { layout: 'original', startAt: 1, onUnreadable: () => undefined, ...options };
  for await (const chunk of mergeLabels(asLabels(files), given)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function pagesOf(pdf: Buffer) {
  const document = await PDFDocument.load(pdf, { throwOnInvalidObject: true });
  return document.getPages().map((page) => {
    const { width, height } = page.getSize();
    return { size: `${width.toFixed(0)}x${height.toFixed(0)}`, rotate: page.getRotation().angle };
  });
}

describe('merged labels', () => {
  it('keep every page as the carrier made it, turned pages too', async () => {
    const files = [
      await buildLabel(),
      await buildLabel({ size: [595, 420], pages: 2 }),
      await buildLabel({ rotate: 90 }),
    ];

    const pages = await pagesOf(await merge(files));

    expect(pages).toEqual([
      { size: '298x420', rotate: 0 },
      { size: '595x420', rotate: 0 },
      { size: '595x420', rotate: 0 },
      { size: '298x420', rotate: 90 },
    ]);
  });

  it('fill sheets of four from the first free place on, whatever their number', async () => {
    const label = await buildLabel();
    const layout = fc.constantFrom(...SHEET_LAYOUTS);

    await fc.assert(
      fc.asyncProperty(
        layout,
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: 1, max: 4 }),
        async (one, n, first) => {
          const places = placesPerSheet(one);
          const startAt = Math.min(first, places);
          const pages = await pagesOf(await merge(Array(n).fill(label), { layout: one, startAt }));

          expect(pages).toHaveLength(Math.ceil((n + startAt - 1) / places));
          expect(new Set(pages.map(({ size }) => size))).toEqual(new Set([one === 'a6' ? '298x420' : '595x842']));
        },
      ),
      { numRuns: 60 },
    );
  });

  it('lie whole inside their own place, in their own proportions and never enlarged', () => {
    const side = fc.double({ min: 20, max: 2000, noNaN: true });

    fc.assert(
      fc.property(fc.constantFrom(...SHEET_LAYOUTS), side, side, (layout, width, height) => {
        const { width: paperWidth, height: paperHeight } = layout === 'a6' ? A6 : A4;
        const taken = Array.from({ length: placesPerSheet(layout) }, (_, place) =>
          placeLabel(layout, place, { width, height }),
        );
        for (const [index, box] of taken.entries()) {
          const [across, up] = box.isTurned ? [height, width] : [width, height];
          // A label of half a percent more than its place is not made smaller for that.
          const slack = 0.005 * Math.max(paperWidth, paperHeight);

          expect(box.scale).toBeLessThanOrEqual(1);
          expect(box.width / across).toBeCloseTo(box.scale);
          expect(box.height / up).toBeCloseTo(box.scale);
          expect(Math.min(box.x, box.y)).toBeGreaterThanOrEqual(-slack);
          expect(box.x + box.width).toBeLessThanOrEqual(paperWidth + slack);
          expect(box.y + box.height).toBeLessThanOrEqual(paperHeight + slack);
          for (const other of taken.slice(index + 1)) {
            const apart = Math.max(
              Math.max(other.x - (box.x + box.width), box.x - (other.x + other.width)),
              Math.max(other.y - (box.y + box.height), box.y - (other.y + other.height)),
            );
            expect(apart).toBeGreaterThan(-slack);
          }
        }
      }),
    );
  });

  it('leave a page that says so where a file cannot be read', async () => {
    const unreadable: string[] = [];
    const files = [await buildLabel(), Buffer.from('%PDF-1.4 cut off'), await buildLabel()];

    const pdf = await merge(files, { onUnreadable: (name) => unreadable.push(name) });

    expect(await pagesOf(pdf)).toHaveLength(3);
    expect(unreadable).toEqual(['Ordine 2']);
    expect(pdf.toString('latin1')).toContain('(Etichetta illeggibile) Tj');
  });

  it('stop being read when the reader leaves', async () => {
    const label = await buildLabel();
    let given = 0;
    let isClosed = false;
    async function* endless(): AsyncGenerator<LabelToPrint> {
      try {
        for (;;) {
          given += 1;
          yield { bytes: label, name: 'Ordine' };
        }
      } finally {
        isClosed = true;
      }
    }

    for await (const _chunk of mergeLabels(endless(), { layout: 'a4-4', startAt: 1, onUnreadable: () => undefined })) {
      if (given === 7) break;
    }

    expect(given).toBe(7);
    expect(isClosed).toBe(true);
  });
});
