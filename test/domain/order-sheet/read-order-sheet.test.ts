import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readSheetCell } from '../../../src/domain/order-sheet/cells.ts';
import { type CellKind, SHEET_COLUMNS } from '../../../src/domain/order-sheet/columns.ts';
import { countryCodeOf } from '../../../src/domain/order-sheet/countries.ts';
import { readHeadings } from '../../../src/domain/order-sheet/headings.ts';
import type { SheetOrder } from '../../../src/domain/order-sheet/order-of-rows.ts';
import { readOrderSheet } from '../../../src/domain/order-sheet/read-order-sheet.ts';
import type { Cell } from '../../../src/domain/pricing/sheets/sheet.ts';

/** The orders of a sheet with these columns beside the necessary ones. */
function ordersOf(head: string[], ...rows: Cell[][]): SheetOrder[] {
  const plain = ['Anna Neri', 'Via Po 1', '10121', 'Torino', 'A'];
  const read = readOrderSheet({
    name: 'A',
    rows: [['name', 'street', 'zip', 'city', 'sku', 'order', ...head], ...rows.map((row) => [...plain, ...row])],
  });
  if ('faults' in read) throw new Error(read.faults.join());
  return read.orders;
}

const oneOf = (head: string[], ...row: Cell[]): SheetOrder => ordersOf(head, ['1', ...row])[0] as SheetOrder;
const read = (kind: CellKind, cell: Cell) => readSheetCell(kind, cell, null);

describe('headers', () => {
  it.each([
    ['Numero d’ordine', null],
    ['NUMERO_ORDINE', 'order_number'],
    ['N° Ordine', 'order_number'],
    ['Localita', 'city'],
    ['LOCALITÀ', 'city'],
    ['c.a.p.', 'zip'],
    ['E-mail', 'email'],
    ['Q.tà', 'quantity'],
    ['  partita   I.V.A. ', 'vat_number'],
  ])('%s is found in spite of case, accents and punctuation', (header, field) => {
    const { columns } = readHeadings([header]);

    expect(columns[0]?.column.field ?? null).toBe(field);
  });

  it('of two fields are never the same', () => {
    const names = SHEET_COLUMNS.map(({ headers }) => readHeadings([...headers]).columns);

    for (const [at, columns] of names.entries()) {
      expect(new Set(columns.map(({ column }) => column.field))).toEqual(new Set([SHEET_COLUMNS[at]?.field]));
    }
  });

  it('that mean one field twice are a fault, except telephones', () => {
    expect(readHeadings(['Prezzo', 'Price']).faults).toContainEqual(
      'Several columns mean price: "Prezzo" and "Price". Rename all but one',
    );
    expect(readHeadings(['Telefono', 'Cellulare']).faults.join()).not.toContain('Several');
    expect(oneOf(['Telefono', 'Cellulare'], null, '333').body).toMatchObject({ shipping: { phone: '333' } });
  });

  it('of a mapping replace ours, and are a fault when the sheet lacks them', () => {
    const { columns, ignored, faults } = readHeadings(['CAP', 'Codice'], { zip: 'codice', city: 'Luogo' });

    expect(columns.map(({ column, header }) => [column.field, header])).toEqual([['zip', 'Codice']]);
    expect(ignored).toEqual(['CAP']);
    expect(faults[0]).toBe('The mapping names "Luogo" for city, and the sheet has no such column');
  });
});

describe('cells', () => {
  it.each<[CellKind, Cell, unknown]>([
    ['number', '1.234,50', 1234.5],
    ['number', '14.90', 14.9],
    ['number', '2,5 kg', 2.5],
    ['number', '€ 9,00', 9],
    ['code', '1001.0', '1001'],
    ['code', 1001, '1001'],
    ['day', '1/2/2026', '2026-02-01'],
    ['day', '31.12.26', '2026-12-31'],
    ['day', '2026-12-31T10:30:00.000Z', '2026-12-31'],
    ['yes-no', 'Sì', true],
    ['yes-no', 0, false],
    ['amount-or-yes', 'x', true],
    ['amount-or-yes', '30,50', 30.5],
    ['country', 'germania', 'DE'],
    ['list', 'A; B', ['A', 'B']],
    ['id-or-key', '12', 12],
    ['id-or-key', 'north', 'north'],
  ])('%s %j is %j', (kind, cell, value) => {
    expect(read(kind, cell)).toEqual({ value });
  });

  it.each<[CellKind, Cell]>([
    ['number', '1.500'],
    ['number', 'USD 5'],
    ['code', '3,93335E+11'],
    ['day', '11/22/2026'],
    ['day', '31/2/2026'],
    ['yes-no', 'forse'],
    ['country', 'Atlantide'],
    ['text', 'a\u0000b'],
    ['note', '\ud800'],
  ])('%s %j is a fault', (kind, cell) => {
    expect(read(kind, cell)).toHaveProperty('fault');
  });

  it('with a mark that may separate thousands are read as the rest of their column', () => {
    const weights = ordersOf(['peso'], ['1', '1.500'], ['2', '0.750']).map(({ body }) => body.parcels);

    expect(weights).toMatchObject([[{ weight_kg: 1.5 }], [{ weight_kg: 0.75 }]]);
  });
});

describe('countries', () => {
  it.each([
    ['it', 'IT'],
    ['Italia', 'IT'],
    ['United Kingdom', 'GB'],
    ['Regno Unito', 'GB'],
    ['Repubblica Ceca', 'CZ'],
    ['', null],
  ])('%s is %s', (text, code) => {
    expect(countryCodeOf(text)).toBe(code);
  });
});

describe('orders', () => {
  it('divide their weight among their parcels to the gram', () => {
    const { body } = oneOf(['peso', 'colli', 'lunghezza'], '1', 3, 40);

    expect(body.parcels).toEqual([
      { weight_kg: 0.334, length_cm: 40 },
      { weight_kg: 0.333, length_cm: 40 },
      { weight_kg: 0.333, length_cm: 40 },
    ]);
  });

  it.each<[string, string[], Cell[], Record<string, unknown>]>([
    ['an amount', ['contrassegno', 'prezzo'], ['30,50', 1], { payment_method: 'COD', cod_amount: 30.5 }],
    ['a yes', ['contrassegno', 'prezzo'], ['sì', 1], { payment_method: 'COD' }],
    ['the payment', ['pagamento', 'prezzo'], ['Contrassegno', 1], { payment_method: 'COD' }],
    ['neither', ['contrassegno', 'pagamento'], ['no', 'PayPal'], { payment_method: 'PayPal' }],
  ])('take cash on delivery from %s', (_name, head, row, wanted) => {
    const { body, faults } = oneOf(head, ...row);

    expect([body.payment_method, body.cod_amount]).toEqual([wanted.payment_method, wanted.cod_amount]);
    expect(faults).toEqual([]);
  });

  it.each<[string[], Cell[], string]>([
    [
      ['contrassegno', 'pagamento', 'prezzo'],
      [5, 'PayPal', 1],
      'contradicts the payment, which is not cash on delivery',
    ],
    [['contrassegno', 'pagamento', 'prezzo'], [0, 'COD', 1], 'contradicts the payment, which is cash on delivery'],
    [['contrassegno'], ['sì'], 'has no amount, and the sheet has no prices to add up'],
    [['colli'], [2], 'is missing: parcels that are counted or measured need it'],
    [['colli', 'peso'], [1e9, 1], 'must be a whole number from 1 to 99'],
  ])('with %j as %j are at fault', (head, row, message) => {
    expect(oneOf(head, ...row).faults.map((fault) => fault.message)).toEqual([message]);
  });

  it('join names and numbers, find the province, and pad the postal code of their country', () => {
    const [order] = ordersOf(['cognome', 'civico', 'cap fatturazione'], ['1', 'Bianchi', 12, 184]);

    expect(order?.body).toMatchObject({
      shipping: { full_name: 'Anna Neri Bianchi', address: 'Via Po 1 12', province: 'TO', country_code: 'IT' },
      billing: { zip: '00184' },
    });
  });

  it('come from rows anywhere in the sheet, and name both rows that differ', () => {
    const orders = ordersOf(['note'], ['1', 'a'], ['2', null], ['1', 'b'], ['1', null]);

    expect(orders.map(({ rows }) => rows)).toEqual([[2, 4, 5], [3]]);
    expect(orders[0]?.faults).toEqual([
      { row: 4, column: 'note', message: 'differs from row 2 of the same order: an order has one value of it' },
    ]);
  });

  it('come back as they were written, for any texts', () => {
    const word = fc.string({ minLength: 1, maxLength: 12 }).map((text) => `x${text.replaceAll(/\s+/g, ' ').trim()}`);
    const written = fc.record({ number: word, name: word, street: word, city: word, sku: word });
    const orders = fc.uniqueArray(written, { minLength: 1, maxLength: 8, selector: ({ number }) => number });
    fc.assert(
      fc.property(orders, (list) => {
        const head = ['order', 'name', 'street', 'zip', 'city', 'sku'];
        const rows = list.map(({ number, name, street, city, sku }) => [number, name, street, '10121', city, sku]);
        const sheet = readOrderSheet({ name: 'A', rows: [head, ...rows] });

        expect('orders' in sheet && sheet.orders.map(({ body }) => body)).toMatchObject(
          list.map(({ number, name, street, city, sku }) => ({
            order_number: number,
            shipping: { full_name: name, address: street, city },
            items: [{ sku }],
          })),
        );
      }),
    );
  });

  it('are read from any cells without an error, and each row belongs to one order', () => {
    const cell: fc.Arbitrary<Cell> = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 12 }),
      fc.double(),
      fc.constantFrom(null, '', 'sì', '1,5', '31/12/2026', '1E+300', '1.500'),
    );
    const head = SHEET_COLUMNS.map(({ headers }) => headers[0]);
    const rows = fc.array(fc.array(cell, { maxLength: head.length }), { maxLength: 6 });
    fc.assert(
      fc.property(rows, fc.boolean(), (cells, isKnown) => {
        const sheet = readOrderSheet({ name: 'A', rows: isKnown ? [[...head], ...cells] : cells });

        const seen = 'faults' in sheet ? sheet.faults : sheet.orders.flatMap((order) => order.rows);
        expect(seen).not.toEqual([]);
        expect(new Set<unknown>(seen).size).toBe(seen.length);
      }),
    );
  });
});
