import { inflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { BorderoDocument, BorderoItem } from '../../src/documents/bordero.ts';
import { renderBordero } from '../../src/documents/bordero.ts';
import { printable } from '../../src/lib/pdf-text.ts';
import { textOfPages } from '../support/pdf-text.ts';

function buildItem(overrides: Partial<BorderoItem> = {}): BorderoItem {
  return {
    trackingNumber: 'M1284637219',
    orderRef: 'WEB-100234',
    recipientName: 'Niccolò Dell’Acqua',
    recipientAddress: 'Via Giuseppe Garibaldi 128/B',
    recipientCity: 'Forlì',
    recipientProvince: 'FC',
    recipientZip: '47121',
    recipientCountryCode: 'IT',
    parcelsCount: 2,
    weightGrams: 12_500,
    codCents: null,
    ...overrides,
  };
}

function buildBordero(overrides: Partial<BorderoDocument> = {}): BorderoDocument {
  return {
    number: '2026-00012',
    date: new Date('2026-09-30T22:30:00Z'),
    timeZone: 'Europe/Rome',
    company: {
      name: 'Fratelli Perù S.r.l.',
      address: 'Corso Buenos Aires 1',
      postalCode: '20124',
      city: 'Milano',
      country: 'Italia',
      vatNumber: 'IT01234567890',
    },
    carrier: { name: 'GLS Italy' },
    contract: { label: 'Espresso nazionale', customerCode: 'MI1-044512' },
    items: [buildItem()],
    ...overrides,
  };
}

async function render(bordero: BorderoDocument): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of renderBordero(bordero)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** The text of each page, pieces apart by `|`: contents are inflated, and text is hexadecimal Windows-1252. */
function pagesOf(pdf: Buffer): string[] {
  const source = pdf.toString('latin1');
  const streams = [...source.matchAll(/\/FlateDecode\s*>>\s*stream\n([\s\S]*?)\nendstream/g)];
  return streams
    .map(([, data = '']) => inflateSync(Buffer.from(data, 'latin1')).toString('latin1'))
    .filter((content) => content.includes(' TJ'))
    .map((content) => {
      const runs = [...content.matchAll(/\[(.*?)\] TJ/g)];
      return runs
        .map(([, run = '']) => [...run.matchAll(/<([0-9a-f]+)>/g)].map(([, hex = '']) => Buffer.from(hex, 'hex')))
        .map((parts) => new TextDecoder('windows-1252').decode(Buffer.concat(parts)))
        .join('|');
    });
}

function countPages(pdf: Buffer): number {
  return pdf.toString('latin1').match(/\/Type \/Page\n/g)?.length ?? 0;
}

describe('bordero', () => {
  it('fits a short list on one landscape A4 page with everything that a driver signs', async () => {
    const items = [buildItem({ codCents: 1_234_567 }), buildItem({ recipientCountryCode: 'SM', weightGrams: 800 })];

    const pdf = await render(buildBordero({ items }));

    const [text = ''] = pagesOf(pdf);
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
    expect(countPages(pdf)).toBe(1);
    expect(pdf.toString('latin1')).toContain('/MediaBox [0 0 841.89 595.28]');
    for (const piece of [
      'BORDERÒ DI SPEDIZIONE',
      'n. 2026-00012 del 01/10/2026',
      'Fratelli Perù S.r.l.',
      '20124 Milano, Italia',
      'P. IVA IT01234567890',
      'GLS Italy',
      'Codice cliente MI1-044512',
      'Contrassegni 1 per € 12.345,67',
      'Lettera di vettura',
      'M1284637219',
      'Niccolò Dell’Acqua',
      'Forlì (FC)',
      'Forlì (FC) SM',
      'TOTALE - spedizioni: 2, in contrassegno: 1',
      '|4|13,3|12.345,67|',
      'MITTENTE',
      'AUTISTA',
      'Firma',
      'Data e ora',
      'Pagina 1 di 1',
    ]) {
      expect(text).toContain(piece);
    }
  });

  it('repeats the header on each of many pages and signs only the last', async () => {
    const items = Array.from({ length: 500 }, (_, index) => buildItem({ orderRef: `WEB-${index}` }));

    const pdf = await render(buildBordero({ items }));

    const pages = pagesOf(pdf);
    expect(pages.length).toBe(countPages(pdf));
    expect(pages.length).toBeGreaterThan(10);
    expect(pages.every((text) => text.includes('2026-00012') && text.includes('Lettera di vettura'))).toBe(true);
    expect(pages.map((text) => text.match(/Pagina .*/)?.[0])).toEqual(
      pages.map((_, index) => `Pagina ${index + 1} di ${pages.length}`),
    );
    expect(pages.map((text) => text.includes('AUTISTA'))).toEqual(pages.map((_, index) => index === pages.length - 1));
    const printed = pages.flatMap((text) => text.split('|')).filter((piece) => piece.startsWith('WEB-'));
    expect(printed).toEqual(items.map((item) => item.orderRef));
  });

  it('cuts long names and addresses, and never a tracking number', async () => {
    const trackingNumber = '003404341610940425570034043416109404';
    const item = buildItem({ trackingNumber, recipientName: 'Maria '.repeat(60), recipientAddress: 'x'.repeat(400) });

    const pdf = await render(buildBordero({ items: [item] }));

    const [text = ''] = pagesOf(pdf);
    expect(countPages(pdf)).toBe(1);
    expect(text).toContain('…');
    expect(text.replaceAll('|', '')).toContain(trackingNumber);
  });

  it('gives the same bytes when it is printed again', async () => {
    const first = await render(buildBordero());

    expect((await render(buildBordero())).equals(first)).toBe(true);
  });

  it('prints names as they are written, and a visible mark for each letter of a script it lacks', async () => {
    const item = buildItem({
      recipientName: 'Łukasz Żółć',
      recipientAddress: 'Οδός Αθηνάς 7',
      recipientCity: 'Київ',
      orderRef: '北京路 8 مرحبا',
    });
    const company = { ...buildBordero().company, name: 'Přemysl & Őry Kft.' };
    const bordero = buildBordero({ items: [item, buildItem()], company });

    const pdf = await render(bordero);

    const [text = ''] = await textOfPages(pdf);
    for (const piece of [
      'Łukasz Żółć',
      'Οδός Αθηνάς 7',
      'Київ (FC)',
      '□□□ 8 □□□□□',
      'Přemysl & Őry Kft.',
      'Forlì (FC)',
    ]) {
      expect(text).toContain(piece);
    }
    // Only the letters that are used are embedded.
    expect(pdf.length).toBeLessThan(60_000);
    expect((await render(bordero)).equals(pdf)).toBe(true);
  });

  it.each([0, 1, 17, 18, 19, 20, 21, 22, 23, 24])('leaves no page without a header for %d shipments', async (count) => {
    const pdf = await render(buildBordero({ items: Array.from({ length: count }, () => buildItem()) }));

    const pages = pagesOf(pdf);
    expect(pages.length).toBe(countPages(pdf));
    expect(pages.every((text) => text.includes('Lettera di vettura'))).toBe(true);
    expect(pages.at(-1)).toContain('TOTALE');
    const rowsOfLast = pages
      .at(-1)
      ?.split('|')
      .filter((piece) => piece === 'WEB-100234').length;
    expect(rowsOfLast).toBeGreaterThanOrEqual(Math.min(count, 3));
  });

  it('is printed without a barcode when the number cannot be one', async () => {
    const pdf = await render(buildBordero({ number: 'Nº 12/è' }));

    expect(pagesOf(pdf)[0]).toContain('n. Nº 12/è del');
  });
});

describe('printable text', () => {
  it.each([
    ['Perù, Forlì, città, Müller, Šimić, 10 €', 'Perù, Forlì, città, Müller, Šimić, 10 €'],
    ['Łukasz Świątek', 'Łukasz Świątek'],
    ['Anna 😀👨‍👩‍👧 Rossi', 'Anna Rossi'],
    ['a\tb\nc\u0000d', 'a b cd'],
    ['Peru\u0300', 'Perù'],
    ['Αθήνα 12, Київ', 'Αθήνα 12, Київ'],
    ['北京 12', '□□ 12'],
    ['שלום', '□□□□'],
    ['ﬁne №5', 'fine №5'],
    ['a\u202eb\u200bc\u00add', 'abcd'],
  ])('makes %j into %j', (text, shown) => {
    expect(printable(text)).toBe(shown);
  });
});
