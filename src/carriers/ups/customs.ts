import { isDeclarable } from '../../domain/customs-territory.ts';
import { centsToString } from '../../lib/decimal.ts';
import type { DraftLine, ShipmentDraft } from '../adapter.ts';
import { linesOf } from '../text.ts';
import { MAX } from './limits.ts';
import { partyOf } from './parties.ts';
import type { Account } from './schema.ts';
import { plain } from './text.ts';

/** Whether UPS makes the invoice. With ZPL labels it may be the sender's own, so there it is not a must that the lines are whole. */
export function asksForInvoice({ sender, recipient, labelFormat, lines }: ShipmentDraft): boolean {
  return isDeclarable(sender, recipient) && (labelFormat !== 'zpl' || invoiceProblems(lines).length === 0);
}

/** A commercial invoice from the lines of the order. `today` is the wall-clock YYYY-MM-DD of the sender. */
export function invoiceOf({ incoterm }: Account, draft: ShipmentDraft, today: string) {
  const { recipient, lines, currency } = draft;
  return {
    FormType: ['01'],
    Contacts: { SoldTo: partyOf(recipient) },
    Product: lines.map(productOf),
    InvoiceNumber: invoiceNumber(draft),
    InvoiceDate: today.replaceAll('-', ''),
    TermsOfShipment: incoterm,
    ReasonForExport: 'SALE',
    CurrencyCode: currency,
    // An account that sends invoices on its own gets no copy otherwise, and then nobody sees what customs were told.
    OverridePaperlessIndicator: '',
  };
}

/** A number that was cut would be another one: where that of the order is too long, our reference must do. */
function invoiceNumber({ orderNumber, reference }: ShipmentDraft): string {
  const number = plain(orderNumber);
  return number !== '' && number.length <= MAX.reference ? number : reference;
}

function productOf(line: DraftLine) {
  const partNumber = plain(line.sku);
  return {
    Description: describe(line) ?? [],
    Unit: {
      Number: String(line.quantity),
      UnitOfMeasurement: { Code: 'PCS' },
      Value: centsToString(line.unitValueCents),
    },
    CommodityCode: commodityCode(line),
    ...(partNumber === '' || partNumber.length > MAX.partNumber ? {} : { PartNumber: partNumber }),
    OriginCountryCode: line.originCountry.toUpperCase(),
  };
}

function describe({ description }: DraftLine): string[] | null {
  return linesOf([plain(description)], { max: MAX.lineDescription, lines: MAX.lineDescriptions });
}

/** People write it with dots and spaces. */
function commodityCode({ commodityCode: code }: DraftLine): string {
  return code.replace(/[\s.]/g, '');
}

/** What the invoice lacks, line by line. */
export function invoiceProblems(lines: readonly DraftLine[]): string[] {
  if (lines.length === 0) return ['A parcel that is declared to customs needs the lines of the order'];
  if (lines.length > MAX.lines) return [`UPS takes up to ${MAX.lines} lines on an invoice for customs`];
  return lines.flatMap((line, index) => {
    const lacks = lacksOf(line);
    const name = line.sku === '' ? `Line ${index + 1}` : `Line ${index + 1} (${line.sku})`;
    return lacks.length === 0 ? [] : [`${name} needs for customs: ${lacks.join(', ')}`];
  });
}

function lacksOf(line: DraftLine): string[] {
  const lacks: string[] = [];
  const needs = (fine: boolean, what: string): void => void (fine || lacks.push(what));
  const isWhole = Number.isInteger(line.quantity) && line.quantity >= 1 && line.quantity <= MAX.quantity;
  needs(plain(line.description) !== '', 'a description');
  needs(
    describe(line) !== null,
    `a description of up to ${MAX.lineDescriptions} lines of ${MAX.lineDescription} characters`,
  );
  needs(isWhole, `a quantity of 1 to ${MAX.quantity}`);
  needs(line.unitValueCents > 0, 'a value above zero');
  needs(/^[A-Za-z0-9]{6,15}$/.test(commodityCode(line)), 'a customs code of 6 to 15 letters or digits');
  needs(/^[A-Za-z]{2}$/.test(line.originCountry), 'a country of origin');
  return lacks;
}
