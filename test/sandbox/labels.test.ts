import { buffer } from 'node:stream/consumers';
import PDFDocument from 'pdfkit';
import { expect, it } from 'vitest';
import { writeText } from '../../sandbox/src/label-parts.ts';
import { textOfPages } from '../support/pdf-text.ts';

it('pretend labels show names as they are written', async () => {
  const document = new PDFDocument({ size: 'A6', margin: 18 });
  for (const text of ['Łukasz Żółć', 'Σωκράτης', 'Олена', '北京', 'Niccolò']) writeText(document, text, { size: 9 });
  document.end();

  expect(await textOfPages(await buffer(document))).toEqual(['Łukasz Żółć Σωκράτης Олена □□ Niccolò']);
});
