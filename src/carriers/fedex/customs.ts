import { isDeclarable } from '../../domain/customs-territory.ts';
import { Big, centsToNumber } from '../../lib/decimal.ts';
import type { ShipmentDraft } from '../adapter.ts';
import { commodityCode, isCount, lineProblems, linesCents } from '../customs.ts';
import { latin1Text as plain } from '../text.ts';
import { MAX } from './limits.ts';
import type { Account } from './schema.ts';

/**
 * Returns true for a parcel that crosses a border, that of customs or of a country: FedEx then wants to know its goods.
 */
export function isInternational({ sender, recipient }: Pick<ShipmentDraft, 'sender' | 'recipient'>): boolean {
  return sender.countryCode !== recipient.countryCode || isDeclarable(sender, recipient);
}

/** Returns true when FedEx makes the invoice, which is a PDF whatever the labels are. */
export function asksForInvoice({ sender, recipient }: ShipmentDraft): boolean {
  return isDeclarable(sender, recipient);
}

export function moneyOf(cents: number, { currency }: Pick<ShipmentDraft, 'currency'>) {
  return { amount: centsToNumber(cents), currency };
}

export function commoditiesOf(draft: Pick<ShipmentDraft, 'lines' | 'currency'>) {
  return draft.lines.map((line) => {
    const code = commodityCode(line);
    return {
      description: plain(line.description),
      quantity: line.quantity,
      quantityUnits: 'PCS',
      numberOfPieces: line.quantity,
      // The price is that of one piece, weight and value those of the whole line.
      unitPrice: moneyOf(line.unitValueCents, draft),
      customsValue: moneyOf(line.unitValueCents * line.quantity, draft),
      weight: { units: 'KG', value: new Big(line.weightGrams).times(line.quantity).div(1000).round(3).toNumber() },
      countryOfManufacture: line.originCountry.toUpperCase(),
      ...(code === '' ? {} : { harmonizedCode: code }),
    };
  });
}

export function customsOf({ incoterm, accountNumber }: Account, draft: ShipmentDraft) {
  const isOurs = incoterm === 'DDP' || !isDeclarable(draft.sender, draft.recipient);
  return {
    dutiesPayment: isOurs
      ? { paymentType: 'SENDER', payor: { responsibleParty: { accountNumber: { value: accountNumber } } } }
      : { paymentType: 'RECIPIENT' },
    commercialInvoice: {
      shipmentPurpose: 'SOLD',
      termsOfSale: incoterm,
      customerReferences: [{ customerReferenceType: 'INVOICE_NUMBER', value: orderNumberOf(draft) || draft.reference }],
    },
    commodities: commoditiesOf(draft),
    totalCustomsValue: moneyOf(linesCents(draft.lines), draft),
  };
}

/** Returns the order's number. A cut number would be another one: a too long one is left out. */
export function orderNumberOf({ orderNumber }: Pick<ShipmentDraft, 'orderNumber'>): string {
  const number = plain(orderNumber);
  return number.length <= MAX.orderNumber ? number : '';
}

/** Lists the gaps of an international shipment, line by line. */
export function customsProblems({ lines, sender, recipient }: ShipmentDraft): string[] {
  if (lines.length === 0) return ['A parcel that crosses a border needs the lines of the order'];
  if (lines.length > MAX.lines) return [`FedEx takes up to ${MAX.lines} lines of what crosses a border`];
  const withCode = isDeclarable(sender, recipient);
  const problems = lineProblems(lines, 'to cross a border', (line) => ({
    [`a description of 1 to ${MAX.lineDescription} characters`]: isCount(
      plain(line.description).length,
      MAX.lineDescription,
    ),
    [`a quantity of 1 to ${MAX.quantity}`]: isCount(line.quantity, MAX.quantity),
    'a value above zero': line.unitValueCents > 0,
    'a weight above zero': line.weightGrams > 0,
    'a country of origin': /^[A-Za-z]{2}$/.test(line.originCountry),
    // The first six digits are the same all over the world.
    'a customs code of at least six digits': !withCode || /^\d{6,}$/.test(commodityCode(line)),
  }));
  const isTooMuch = linesCents(lines) > MAX.amountCents;
  return isTooMuch ? [...problems, 'FedEx takes goods of less than 100,000 across a border'] : problems;
}
