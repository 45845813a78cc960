import { deflateSync } from 'node:zlib';
import {
  decodePDFRawStream,
  ParseSpeeds,
  PDFArray,
  PDFCatalog,
  PDFDict,
  PDFDocument,
  PDFName,
  PDFNumber,
  type PDFObject,
  type PDFPageLeaf,
  PDFPageTree,
  PDFRawStream,
  PDFRef,
  PDFStream,
} from 'pdf-lib';
import type { PdfWriter } from './pdf-writer.ts';

/** In points, as a reader sees the page. */
export interface PageSize {
  width: number;
  height: number;
}

/** Entries that a page may inherit from its parents. */
const INHERITED = ['Resources', 'MediaBox', 'CropBox', 'Rotate'];
/** Entries that lead out of the page, into a tree that is not copied. */
const LEFT_OUT = new Set(['Type', 'Parent', 'B', 'StructParents', 'Metadata', 'PieceInfo', ...INHERITED]);

/**
 * A foreign PDF whose pages are copied into another one. Its objects get new numbers there, and each is written once.
 */
export class SourcePdf {
  readonly #document: PDFDocument;
  readonly #writer: PdfWriter;
  /** New number by old reference. */
  readonly #numbers = new Map<PDFRef, number>();
  readonly #pending: PDFRef[] = [];

  private constructor(document: PDFDocument, writer: PdfWriter) {
    this.#document = document;
    this.#writer = writer;
  }

  /** Parses a file. Throws when it is no PDF, or has a password. */
  static async open(bytes: Buffer, writer: PdfWriter): Promise<SourcePdf> {
    const document = await PDFDocument.load(bytes, { updateMetadata: false, parseSpeed: ParseSpeeds.Fastest });
    const source = new SourcePdf(document, writer);
    const { pages } = source;
    // Checked before any part of it is written.
    if (pages.length === 0 || pages.some(({ size }) => !(size.width > 0 && size.height > 0))) {
      throw new Error('A PDF without pages that can be seen');
    }
    return source;
  }

  get pages(): SourcePage[] {
    return this.#document.getPages().map(({ node }) => new SourcePage(node));
  }

  /** Copies the page unchanged. */
  copyPage({ node }: SourcePage): void {
    const inherited = INHERITED.flatMap((name): [PDFName, PDFObject][] => {
      const value = node.getInheritableAttribute(PDFName.of(name));
      return value ? [[PDFName.of(name), value]] : [];
    });
    const own = node.entries().filter(([name]) => !LEFT_OUT.has(name.decodeText()));
    const entries = [...inherited, ...own].map(([name, value]) => `${name.toString()} ${this.#copied(value)}`);
    this.#writer.page(entries.join(' '));
    this.#copyPending();
  }

  /**
   * Copies the visible part of the page as a form, upright, with its lower left corner at 0/0. Returns the form's
   * number.
   */
  copyAsForm(page: SourcePage): number {
    const number = this.#writer.allocate();
    const { bytes, filter } = this.#contentOf(page.node);
    const { left, bottom, right, top } = page.box;
    const group = page.node.get(PDFName.of('Group'));
    const resources = page.node.getInheritableAttribute(PDFName.of('Resources'));
    const dictionary = [
      '/Type /XObject /Subtype /Form',
      `/BBox [${[left, bottom, right, top].join(' ')}]`,
      `/Matrix [${page.uprightMatrix.join(' ')}]`,
      `/Resources ${resources ? this.#copied(resources) : '<< >>'}`,
      ...(group ? [`/Group ${this.#copied(group)}`] : []),
      filter,
    ];
    this.#writer.stream(number, dictionary.join(' '), bytes);
    this.#copyPending();
    return number;
  }

  /** A single stream is copied compressed. Several streams are one program in pieces, and must be joined. */
  #contentOf(node: PDFPageLeaf): { bytes: Uint8Array; filter: string } {
    const contents = node.Contents();
    if (contents instanceof PDFRawStream) {
      const entries = ['Filter', 'DecodeParms'].flatMap((name) => {
        const value = contents.dict.get(PDFName.of(name));
        return value ? [`/${name} ${this.#copied(value)}`] : [];
      });
      return { bytes: contents.getContents(), filter: entries.join(' ') };
    }
    const pieces = contents instanceof PDFArray ? contents.asArray() : [];
    const decoded = pieces.flatMap((piece) => {
      const stream = this.#document.context.lookup(piece);
      return stream instanceof PDFRawStream ? [decodePDFRawStream(stream).decode(), Buffer.from('\n')] : [];
    });
    return { bytes: deflateSync(Buffer.concat(decoded)), filter: '/Filter /FlateDecode' };
  }

  #copyPending(): void {
    for (let ref = this.#pending.shift(); ref; ref = this.#pending.shift()) {
      const number = this.#numberOf(ref);
      const target = this.#document.context.lookup(ref);
      if (target instanceof PDFStream) {
        const entries = target.dict.entries().filter(([name]) => name !== PDFName.Length);
        const dictionary = entries.map(([name, value]) => `${name.toString()} ${this.#copied(value)}`).join(' ');
        this.#writer.stream(number, dictionary, target.getContents());
      } else {
        this.#writer.object(number, target ? this.#copied(target) : 'null');
      }
    }
  }

  /** Serializes an object, with the new numbers of the objects it refers to. */
  #copied(object: PDFObject): string {
    if (object instanceof PDFRef) return this.#isOutside(object) ? 'null' : `${this.#numberOf(object)} 0 R`;
    if (object instanceof PDFArray)
      return `[${object
        .asArray()
        .map((item) => this.#copied(item))
        .join(' ')}]`;
    if (object instanceof PDFDict) {
      const entries = object.entries().map(([name, value]) => `${name.toString()} ${this.#copied(value)}`);
      return `<< ${entries.join(' ')} >>`;
    }
    return object.toString();
  }

  /** Another page, or the tree of pages, would pull in the whole document. */
  #isOutside(ref: PDFRef): boolean {
    const target = this.#document.context.lookup(ref);
    if (target instanceof PDFPageTree || target instanceof PDFCatalog) return true;
    return target instanceof PDFDict && target.get(PDFName.Type) === PDFName.Page;
  }

  #numberOf(ref: PDFRef): number {
    const known = this.#numbers.get(ref);
    if (known !== undefined) return known;
    const number = this.#writer.allocate();
    this.#numbers.set(ref, number);
    this.#pending.push(ref);
    return number;
  }
}

/** The visible part of one page, and its rotation. */
export class SourcePage {
  readonly node: PDFPageLeaf;

  constructor(node: PDFPageLeaf) {
    this.node = node;
  }

  /** The visible part of the paper, in the page's own coordinates. */
  get box(): { left: number; bottom: number; right: number; top: number } {
    const media = edgesOf(this.node.MediaBox());
    const crop = this.node.CropBox();
    if (!crop) return media;
    const cropped = edgesOf(crop);
    const shown = {
      left: Math.max(media.left, cropped.left),
      bottom: Math.max(media.bottom, cropped.bottom),
      right: Math.min(media.right, cropped.right),
      top: Math.min(media.top, cropped.top),
    };
    return shown.left < shown.right && shown.bottom < shown.top ? shown : media;
  }

  /** Quarters of a turn, clockwise. */
  get #quarters(): number {
    return ((Math.round((this.node.Rotate()?.asNumber() ?? 0) / 90) % 4) + 4) % 4;
  }

  get size(): PageSize {
    const { left, bottom, right, top } = this.box;
    const [width, height] = [right - left, top - bottom];
    return this.#quarters % 2 === 0 ? { width, height } : { width: height, height: width };
  }

  /** Maps the page's own coordinates to upright ones, whose origin is the lower left corner of the visible part. */
  get uprightMatrix(): readonly number[] {
    const { left, bottom, right, top } = this.box;
    switch (this.#quarters) {
      case 1:
        return [0, -1, 1, 0, -bottom, right];
      case 2:
        return [-1, 0, 0, -1, right, top];
      case 3:
        return [0, 1, -1, 0, top, -left];
      default:
        return [1, 0, 0, 1, -left, -bottom];
    }
  }
}

function edgesOf(box: PDFArray) {
  const [a = 0, b = 0, c = 0, d = 0] = [0, 1, 2, 3].map((index) => box.lookup(index, PDFNumber).asNumber());
  return { left: Math.min(a, c), bottom: Math.min(b, d), right: Math.max(a, c), top: Math.max(b, d) };
}
