/** Makes a document of `COUNT` pieces and throws it away while it is made: `node test/documents/make-many.ts labels|bordero|csv|xlsx COUNT`. */
import { randomBytes } from 'node:crypto';
import { PDFDocument, PDFName } from 'pdf-lib';
import { renderBordero } from '../../src/documents/bordero.ts';
import { type LabelToPrint, mergeLabels } from '../../src/documents/merge-labels.ts';
import { type TableCell, tableBytes } from '../../src/documents/table-stream.ts';

const [what, given] = process.argv.slice(2);
const count = Number(given);

/** Some 60 KB that cannot be packed, as a label with a picture is. */
async function buildLabel(): Promise<Buffer> {
  const document = await PDFDocument.create();
  const page = document.addPage([298, 420]);
  const picture = document.context.register(document.context.stream(randomBytes(60_000)));
  page.node.set(PDFName.of('Contents'), picture);
  return Buffer.from(await document.save());
}

async function* labels(): AsyncGenerator<LabelToPrint> {
  const label = await buildLabel();
  // A copy, as every label is bytes of its own.
  for (let made = 0; made < count; made++) yield { bytes: Buffer.from(label), name: `Spedizione ${made}` };
}

function bordero(): AsyncGenerator<Buffer> {
  const items = Array.from({ length: count }, (_, index) => ({
    trackingNumber: `MI61${String(index).padStart(7, '0')}`,
    orderRef: `WEB-${index}`,
    recipientName: 'Chiara Prova',
    recipientAddress: 'Via Torino, 5',
    recipientCity: 'Milano',
    recipientProvince: 'MI',
    recipientZip: '20123',
    recipientCountryCode: 'IT',
    parcelsCount: 1,
    weightGrams: 1000,
    codCents: null,
  }));
  const company = { name: 'Prova', address: '', postalCode: '', city: '', country: '', vatNumber: '' };
  const about = { number: 'P-1', date: new Date(0), timeZone: 'Europe/Rome', company, carrier: { name: 'Prova' } };
  return renderBordero({ ...about, contract: { label: '', customerCode: null }, items });
}

async function* pages(): AsyncGenerator<TableCell[][]> {
  const size = 1000;
  for (let from = 0; from < count; from += size) {
    yield Array.from({ length: size }, (_, at) => [
      from + at,
      `IT-${from + at}`,
      randomBytes(900).toString('base64'),
      ...Array.from({ length: 12 }, (_column, column) => `${column} Spedizione ${from + at}`),
    ]);
  }
}

const HEADER = Array.from({ length: 15 }, (_, at) => `column${at}`);
const isLabels = what === 'labels';
const chunks =
  what === 'csv' || what === 'xlsx'
    ? tableBytes(what, HEADER, pages())
    : isLabels
      ? mergeLabels(labels(), { layout: 'a4-4', startAt: 1, onUnreadable: () => undefined })
      : bordero();
/** The last bytes of the table, or of the PDF. */
const END = { csv: `${count - 1}"?\\s*$`, xlsx: 'PK\\x05\\x06[^]*$' }[what ?? ''] ?? '%%EOF\\s*$';
/** Pieces after which everything that is kept for good has been loaded. */
const early = isLabels ? 500 : 25;
/** In kilobytes. */
const rss = { early: 0, most: 0 };
const sent = { chunks: 0, bytes: 0, largest: 0, isWhole: false };
for await (const chunk of chunks) {
  const kilobytes = Math.round(process.memoryUsage.rss() / 1024);
  rss.most = Math.max(rss.most, kilobytes);
  if (sent.chunks < early) rss.early = rss.most;
  sent.chunks += 1;
  sent.bytes += chunk.length;
  sent.largest = Math.max(sent.largest, chunk.length);
  sent.isWhole = new RegExp(END).test(chunk.toString('latin1').slice(-200));
}
console.log(JSON.stringify({ ...sent, rss }));
