import { setImmediate as nextTurn } from 'node:timers/promises';
import { deflateSync } from 'node:zlib';
import { PdfWriter } from './pdf-writer.ts';
import { A6, drawMarks, drawPlaced, placeLabel, placesPerSheet, type SheetLayout, sheetOf } from './sheet-layout.ts';
import { SourcePdf } from './source-pdf.ts';

/** One file of a carrier, and the name that a person knows it by. */
export interface LabelToPrint {
  bytes: Buffer;
  /** Printed in place of an unreadable label; letters, digits and spaces. */
  name: string;
}

export interface PrintOptions {
  /** `original`: every page as the carrier made it. */
  layout: SheetLayout | 'original';
  /** First free place of the first sheet, from 1. */
  startAt: number;
  /** Called for each file that is not a readable PDF. */
  onUnreadable: (name: string, error: unknown) => void;
}

/**
 * Streams the pages of many PDFs as one; only the current label is in memory. An unreadable file leaves a page that
 * says so, since by then most of the answer has been sent.
 */
export async function* mergeLabels(labels: AsyncIterable<LabelToPrint>, options: PrintOptions): AsyncGenerator<Buffer> {
  const writer = new PdfWriter();
  const sheets = options.layout === 'original' ? null : new Sheets(writer, options.layout, options.startAt);
  for await (const label of labels) {
    const source = await openSource(writer, label, options);
    for (const page of source.pages) {
      if (sheets) sheets.add(source.copyAsForm(page), page.size);
      else source.copyPage(page);
    }
    yield writer.take();
    // Yields: thousands of labels must not block other requests.
    await nextTurn();
  }
  sheets?.finish();
  writer.end();
  yield writer.take();
}

async function openSource(writer: PdfWriter, label: LabelToPrint, options: PrintOptions): Promise<SourcePdf> {
  try {
    return await SourcePdf.open(label.bytes, writer);
  } catch (error) {
    options.onUnreadable(label.name, error);
    return SourcePdf.open(noticePage(label.name), writer);
  }
}

/** Collects labels until a sheet is full. */
class Sheets {
  readonly #writer: PdfWriter;
  readonly #layout: SheetLayout;
  #place: number;
  #forms: number[] = [];
  #drawn = '';

  constructor(writer: PdfWriter, layout: SheetLayout, startAt: number) {
    this.#writer = writer;
    this.#layout = layout;
    this.#place = startAt - 1;
  }

  add(form: number, size: { width: number; height: number }): void {
    const placement = placeLabel(this.#layout, this.#place, size);
    this.#forms.push(form);
    this.#drawn += drawPlaced(`L${this.#forms.length}`, placement) + drawMarks(this.#layout, placement);
    this.#place += 1;
    if (this.#place >= placesPerSheet(this.#layout)) this.finish();
  }

  /** Writes the sheet, unless it is empty. */
  finish(): void {
    if (this.#forms.length > 0) {
      const { width, height } = sheetOf(this.#layout);
      const content = this.#writer.allocate();
      this.#writer.stream(content, '/Filter /FlateDecode', deflateSync(this.#drawn));
      const forms = this.#forms.map((form, index) => `/L${index + 1} ${form} 0 R`).join(' ');
      const box = `[0 0 ${width.toFixed(2)} ${height.toFixed(2)}]`;
      this.#writer.page(`/MediaBox ${box} /Contents ${content} 0 R /Resources << /XObject << ${forms} >> >>`);
    }
    this.#place = 0;
    this.#forms = [];
    this.#drawn = '';
  }
}

/** Draws an A6 page that names the missing label. */
function noticePage(name: string): Buffer {
  const writer = new PdfWriter();
  const font = writer.allocate();
  writer.object(font, '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold >>');
  const content = writer.allocate();
  const text = `BT /F1 13 Tf 24 220 Td (Etichetta illeggibile) Tj 0 -22 Td (${name.replaceAll(/[^\w -]/g, '')}) Tj ET`;
  writer.stream(content, '', Buffer.from(text, 'latin1'));
  const box = `[0 0 ${A6.width.toFixed(2)} ${A6.height.toFixed(2)}]`;
  writer.page(`/MediaBox ${box} /Contents ${content} 0 R /Resources << /Font << /F1 ${font} 0 R >> >>`);
  writer.end();
  return writer.take();
}
