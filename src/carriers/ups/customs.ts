import { isDeclarable } from '../../domain/customs-territory.ts';
import { centsToString } from '../../lib/decimal.ts';
import type { DraftLine, ShipmentDraft } from '../adapter.ts';
import { commodityCode, isCount, lineProblems } from '../customs.ts';
import { linesOf, latin1Text as plain } from '../text.ts';
import { MAX } from './limits.ts';
import { partyOf } from './parties.ts';
import type { Account } from './schema.ts';

/**
 * Returns true when UPS makes the invoice. With ZPL labels it may be the sender's own, so incomplete lines are allowed
 * there.
 */
export function asksForInvoice({ sender, recipient, labelFormat, lines }: ShipmentDraft): boolean {
  return isDeclarable(sender, recipient) && (labelFormat !== 'zpl' || invoiceProblems(lines).length === 0);
}

/** Makes a commercial invoice from the lines of the order. `today` is the wall-clock YYYY-MM-DD of the sender. */
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
    // An account that sends invoices on its own gets no copy otherwise, and the declared goods stay unseen.
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

/** Lists the gaps of an invoice, line by line. */
export function invoiceProblems(lines: readonly DraftLine[]): string[] {
  if (lines.length === 0) return ['A parcel that is declared to customs needs the lines of the order'];
  if (lines.length > MAX.lines) return [`UPS takes up to ${MAX.lines} lines on an invoice for customs`];
  const room = `${MAX.lineDescriptions} lines of ${MAX.lineDescription} characters`;
  return lineProblems(lines, 'for customs', (line) => ({
    'a description': plain(line.description) !== '',
    [`a description of up to ${room}`]: describe(line) !== null,
    [`a quantity of 1 to ${MAX.quantity}`]: isCount(line.quantity, MAX.quantity),
    'a value above zero': line.unitValueCents > 0,
    'a customs code of 6 to 15 letters or digits': /^[A-Za-z0-9]{6,15}$/.test(commodityCode(line)),
    'a country of origin': /^[A-Za-z]{2}$/.test(line.originCountry),
  }));
}
