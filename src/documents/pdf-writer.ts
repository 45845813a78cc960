/** Marks the file as binary for programs that look only at its first bytes. */
const HEADER = '%PDF-1.7\n%\u00e2\u00e3\u00cf\u00d3\n';
const CATALOG = 1;
const PAGES = 2;

/**
 * Writes a PDF from its first byte to its last, for sending at once. Only the offset of each object and the list of
 * pages stay in memory, a few bytes per page.
 */
export class PdfWriter {
  /** Offsets by object number; 0 until the object is written. */
  readonly #offsets: number[] = [0, 0, 0];
  readonly #pages: number[] = [];
  #written = 0;
  #chunks: Buffer[] = [];

  constructor() {
    this.#write(Buffer.from(HEADER, 'latin1'));
  }

  /** Reserves the number of an object that will be written. */
  allocate(): number {
    return this.#offsets.push(0) - 1;
  }

  /** Writes an object. `body` is Latin-1, as it stands between `obj` and `endobj`. */
  object(number: number, body: string): void {
    this.#begin(number);
    this.#write(Buffer.from(`${body}\nendobj\n`, 'latin1'));
  }

  /** Writes a stream. `dictionary` has the entries without `<<`, `>>` and `/Length`. */
  stream(number: number, dictionary: string, bytes: Uint8Array): void {
    this.#begin(number);
    this.#write(Buffer.from(`<< ${dictionary} /Length ${bytes.length} >>\nstream\n`, 'latin1'));
    this.#write(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    this.#write(Buffer.from('\nendstream\nendobj\n', 'latin1'));
  }

  /** Writes a page. `dictionary` has its entries without `/Type` and `/Parent`. */
  page(dictionary: string): void {
    const number = this.allocate();
    this.object(number, `<< /Type /Page /Parent ${PAGES} 0 R ${dictionary} >>`);
    this.#pages.push(number);
  }

  /** Writes everything that stands after the last page. */
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

  /** Returns the bytes written since the last call. */
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
