/** Marks the file as binary for programs that look only at its first bytes. */
const HEADER = '%PDF-1.7\n%\u00e2\u00e3\u00cf\u00d3\n';
const CATALOG = 1;
const PAGES = 2;

/**
 * Writes a PDF from its first byte to its last. What is written can be taken and sent at once: all that stays in memory is where each
 * object lies and which objects are pages, a few bytes per page.
 */
export class PdfWriter {
  /** By object number; 0 until it is written. */
  readonly #offsets: number[] = [0, 0, 0];
  readonly #pages: number[] = [];
  #written = 0;
  #chunks: Buffer[] = [];

  constructor() {
    this.#write(Buffer.from(HEADER, 'latin1'));
  }

  /** The number of an object that will be written. */
  allocate(): number {
    return this.#offsets.push(0) - 1;
  }

  /** `body` in Latin-1, as it stands between `obj` and `endobj`. */
  object(number: number, body: string): void {
    this.#begin(number);
    this.#write(Buffer.from(`${body}\nendobj\n`, 'latin1'));
  }

  /** `dictionary` has the entries without `<<`, `>>` and `/Length`. */
  stream(number: number, dictionary: string, bytes: Uint8Array): void {
    this.#begin(number);
    this.#write(Buffer.from(`<< ${dictionary} /Length ${bytes.length} >>\nstream\n`, 'latin1'));
    this.#write(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    this.#write(Buffer.from('\nendstream\nendobj\n', 'latin1'));
  }

  /** `dictionary` has the entries of a page without `/Type` and `/Parent`. */
  page(dictionary: string): void {
    const number = this.allocate();
    this.object(number, `<< /Type /Page /Parent ${PAGES} 0 R ${dictionary} >>`);
    this.#pages.push(number);
  }

  /** Everything that stands after the last page. */
  end(): void {
    this.object(CATALOG, `<< /Type /Catalog /Pages ${PAGES} 0 R >>`);
    const kids = this.#pages.map((page) => `${page} 0 R`).join(' ');
    this.object(PAGES, `<< /Type /Pages /Count ${this.#pages.length} /Kids [${kids}] >>`);
    const start = this.#written;
    const size = this.#offsets.length;
    const entries = this.#offsets.slice(1).map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`);
    const table = `xref\n0 ${size}\n0000000000 65535 f \n${entries.join('')}`;
    this.#write(Buffer.from(`${table}trailer\n<< /Size ${size} /Root ${CATALOG} 0 R >>\n`, 'latin1'));
    this.#write(Buffer.from(`startxref\n${start}\n%%EOF\n`, 'latin1'));
  }

  /** What was written since it was last taken. */
  take(): Buffer {
    const taken = Buffer.concat(this.#chunks);
    this.#chunks = [];
    return taken;
  }

  #begin(number: number): void {
    this.#offsets[number] = this.#written;
    this.#write(Buffer.from(`${number} 0 obj\n`, 'latin1'));
  }

  #write(bytes: Buffer): void {
    this.#chunks.push(bytes);
    this.#written += bytes.length;
  }
}
