import { Big, toCents } from '../lib/decimal.ts';
import type {
  PriceList,
  PriceListOption,
  PriceListSurcharge,
  PriceListTransport,
  PriceListZone,
} from './price-list.ts';
import { comparablePostalCode, parsePostalRange } from './price-list.ts';

export interface QuoteDestination {
  countryCode: string;
  province: string | null;
  zip: string;
}

/** 0 means not known; a parcel without all three measures has no volume. */
export interface QuoteParcel {
  weightGrams: number;
  lengthMm: number;
  widthMm: number;
  heightMm: number;
}

export interface QuoteInput {
  priceList: PriceList;
  /** `coefficient` in kg/m³; `maxWeightGrams` limits the real weight of the whole shipment. */
  contract: { coefficient: number; maxWeightGrams: number | null };
  destination: QuoteDestination;
  parcels: readonly QuoteParcel[];
  cod: { amountCents: number } | null;
  insuredCents: number | null;
  /** Codes of further options, such as `SATURDAY`. */
  optionCodes: readonly string[];
  /** Percent, such as `"22"`. */
  vatRate: string;
  vatApplies: boolean;
}

export interface QuotedOption {
  optionId: number;
  name: string;
  description: string;
  /** Cents. */
  price: number;
  /** 1 when computed from an amount, 0 when fixed. */
  calculated: 0 | 1;
}

export interface QuotedSurcharge {
  name: string;
  /** Euro, or percent of `baseCents`. */
  rate: string;
  kind: 'fixed' | 'percent';
  baseCents: number;
  price: number;
}

/** What the same shipment costs us. Cents. */
export interface PurchaseQuote {
  basePrice: number;
  extraPrice: number;
  surchargePrice: number;
  optionsTotal: number;
  totalPrice: number;
  /** Sale total less purchase total; negative when sold below cost. */
  margin: number;
}

/** Prices are cents and add up: base + extra + surcharge + options = total, total + VAT = total with VAT. */
export interface Quote {
  zone: { code: string; name: string; label: string };
  coefficient: number;
  realGrams: number;
  volumetricGrams: number;
  chargeableGrams: number;
  basePrice: number;
  /** Steps beyond the last bracket. */
  extraSteps: number;
  extraPrice: number;
  surchargePrice: number;
  /** What the surcharges are made of, in the order of the price list. */
  surcharges: QuotedSurcharge[];
  options: QuotedOption[];
  optionsTotal: number;
  totalPrice: number;
  vatAmount: number;
  totalWithVat: number;
  /** Null when the zone has no purchase prices, or none for this weight. */
  purchase: PurchaseQuote | null;
}

/** Why there is no price, in words a person can act on. */
export interface QuoteRefusal {
  refused: string;
}

type Side = 'sale' | 'purchase';

/** Prices one shipment. Each line is rounded to the cent once, half up, and sums are sums of those lines. */
export function quote(input: QuoteInput): Quote | QuoteRefusal {
  const { priceList, contract, destination } = input;
  const list = `Price list "${priceList.name}"`;
  const coefficient = priceList.volumetric ?? contract.coefficient;
  const weights = weigh(input.parcels, { coefficient, rounding: priceList.rounding });
  const { realGrams, chargeableGrams } = weights;
  if (chargeableGrams === 0) return { refused: 'The weight of the shipment is not known: give its parcels a weight' };
  if (contract.maxWeightGrams !== null && realGrams > contract.maxWeightGrams) {
    return {
      refused: `The shipment weighs ${kg(realGrams)} and the contract takes up to ${kg(contract.maxWeightGrams)}`,
    };
  }

  const zone = findZone(priceList, destination);
  if (!zone) return { refused: `${list} has no zone for ${placeName(destination)}` };
  const transport = priceTransport(zone.sale, chargeableGrams);
  if (!transport) {
    const last = zone.sale.brackets.at(-1)?.upToGrams ?? 0;
    return {
      refused: `${list} has no price above ${kg(last)} in zone ${zone.code}: the chargeable weight is ${kg(chargeableGrams)}`,
    };
  }
  const chosen = chooseOptions(input);
  if ('refused' in chosen) return { refused: `${list} ${chosen.refused}` };

  const context = { input, zone, chargeableGrams, chosen };
  const sale = priceSide('sale', { ...context, transport });
  const cost = zone.purchase ? priceTransport(zone.purchase, chargeableGrams) : null;
  const purchase = cost ? priceSide('purchase', { ...context, transport: cost }) : null;
  const vatAmount = input.vatApplies ? percentOf(sale.totalPrice, input.vatRate) : 0;
  return {
    zone: { code: zone.code, name: zone.name, label: zone.label ?? zone.name },
    coefficient,
    ...weights,
    ...sale,
    extraSteps: transport.extraSteps,
    vatAmount,
    totalWithVat: sale.totalPrice + vatAmount,
    purchase: purchase && {
      basePrice: purchase.basePrice,
      extraPrice: purchase.extraPrice,
      surchargePrice: purchase.surchargePrice,
      optionsTotal: purchase.optionsTotal,
      totalPrice: purchase.totalPrice,
      margin: sale.totalPrice - purchase.totalPrice,
    },
  };
}

/** The zone of a destination: postal code before province before country, then the first listed. */
export function findZone(priceList: PriceList, destination: QuoteDestination): PriceListZone | null {
  let best: PriceListZone | null = null;
  let bestRank = 0;
  for (const zone of priceList.zones) {
    const rank = matchRank(zone, destination);
    if (rank > bestRank) [best, bestRank] = [zone, rank];
  }
  return best;
}

function matchRank({ match }: PriceListZone, destination: QuoteDestination): 0 | 1 | 2 | 3 {
  const countries = match.countries ?? ['IT'];
  if (!countries.includes(destination.countryCode.trim().toUpperCase())) return 0;
  if (hasPostalCode(match.postalCodes, destination.zip)) return 3;
  if (match.provinces?.includes((destination.province ?? '').trim().toUpperCase())) return 2;
  return match.postalCodes || match.provinces ? 0 : 1;
}

function hasPostalCode(ranges: readonly string[] | undefined, zip: string): boolean {
  const code = comparablePostalCode(zip);
  return (ranges ?? []).some((text) => {
    const range = parsePostalRange(text);
    return range !== null && range.from.length === code.length && range.from <= code && code <= range.to;
  });
}

/** The volume counts for the shipment as a whole; whole grams, rounded up, as carriers do. */
function weigh(parcels: readonly QuoteParcel[], { coefficient, rounding }: { coefficient: number; rounding: number }) {
  const realGrams = parcels.reduce((sum, parcel) => sum + parcel.weightGrams, 0);
  const cubicMm = parcels.reduce(
    (sum, { lengthMm, widthMm, heightMm }) => sum.plus(new Big(lengthMm).times(widthMm).times(heightMm)),
    new Big(0),
  );
  const volumetricGrams = cubicMm.times(coefficient).div(1_000_000).round(0, Big.roundUp).toNumber();
  const chargeableGrams = Math.ceil(Math.max(realGrams, volumetricGrams) / rounding) * rounding;
  return { realGrams, volumetricGrams, chargeableGrams };
}

interface PricedTransport {
  basePrice: number;
  extraSteps: number;
  extraPrice: number;
}

/** Null above the last bracket when there is no step. What lacks to the minimum is added to the base. */
function priceTransport(transport: PriceListTransport, grams: number): PricedTransport | null {
  const last = transport.brackets.at(-1);
  const bracket = transport.brackets.find(({ upToGrams }) => grams <= upToGrams) ?? last;
  if (!last || !bracket) return null;
  const beyond = grams - last.upToGrams;
  const { stepGrams, stepPrice } = transport;
  if (beyond > 0 && (stepGrams === undefined || stepPrice === undefined)) return null;
  const extraSteps = beyond > 0 ? Math.ceil(beyond / (stepGrams ?? 1)) : 0;
  const extraPrice = toCents(new Big(stepPrice ?? 0).times(extraSteps));
  const basePrice = Math.max(toCents(bracket.price), toCents(transport.minimum ?? 0) - extraPrice);
  return { basePrice, extraSteps, extraPrice };
}

type ChosenOption = PriceListOption & { ofCents: number };

/** The options of the list that were asked for, in the list's order; asking for one that it lacks is refused. */
function chooseOptions(input: QuoteInput): ChosenOption[] | QuoteRefusal {
  const amounts = new Map<string, number | null>(input.optionCodes.map((code) => [code.trim().toUpperCase(), null]));
  if (input.cod) amounts.set('COD', input.cod.amountCents);
  if (input.insuredCents !== null) amounts.set('INSURANCE', input.insuredCents);
  const chosen: ChosenOption[] = [];
  for (const option of input.priceList.options) {
    const ofCents = amounts.get(option.code);
    if (ofCents === undefined) continue;
    if (option.kind === 'percent' && ofCents === null) {
      return { refused: `has option ${option.code} as a percentage: an amount is needed` };
    }
    chosen.push({ ...option, ofCents: ofCents ?? 0 });
    amounts.delete(option.code);
  }
  const missing = [...amounts.keys()].join(', ');
  return missing ? { refused: `has no option ${missing}: add it, with price 0 if it costs nothing` } : chosen;
}

interface SideContext {
  input: QuoteInput;
  zone: PriceListZone;
  chargeableGrams: number;
  chosen: ChosenOption[];
  transport: PricedTransport;
}

function priceSide(side: Side, { input, zone, chargeableGrams, chosen, transport }: SideContext) {
  const { basePrice, extraPrice } = transport;
  const carriage = basePrice + extraPrice;
  const surcharges: QuotedSurcharge[] = [];
  let surchargePrice = 0;
  for (const surcharge of input.priceList.surcharges) {
    if (
      !applies(surcharge, {
        zone,
        zip: input.destination.zip,
        countryCode: input.destination.countryCode,
        chargeableGrams,
      })
    ) {
      continue;
    }
    const amount = (side === 'purchase' ? surcharge.purchaseAmount : undefined) ?? surcharge.amount;
    const base = surcharge.base === 'transport+surcharges' ? carriage + surchargePrice : carriage;
    const price = surcharge.kind === 'fixed' ? toCents(amount) : percentOf(base, amount);
    surcharges.push({ name: surcharge.name, rate: String(amount), kind: surcharge.kind, baseCents: base, price });
    surchargePrice += price;
  }
  const options = chosen.map((option) => priceOption(side, option));
  const optionsTotal = options.reduce((sum, option) => sum + option.price, 0);
  const totalPrice = carriage + surchargePrice + optionsTotal;
  return { basePrice, extraPrice, surchargePrice, surcharges, options, optionsTotal, totalPrice };
}

/** Postal codes of a surcharge are Italian unless it also names zones, which then say the country. */
function applies(
  { when }: PriceListSurcharge,
  at: { zone: PriceListZone; zip: string; countryCode: string; chargeableGrams: number },
): boolean {
  if (!when) return true;
  if (when.zones && !when.zones.includes(at.zone.code)) return false;
  if (when.overGrams !== undefined && at.chargeableGrams <= when.overGrams) return false;
  if (!when.postalCodes) return true;
  return (
    (when.zones !== undefined || at.countryCode.trim().toUpperCase() === 'IT') &&
    hasPostalCode(when.postalCodes, at.zip)
  );
}

function priceOption(side: Side, option: ChosenOption): QuotedOption {
  const isOwnCost = side === 'purchase' && option.purchasePrice !== undefined;
  const rate = isOwnCost ? (option.purchasePrice ?? 0) : option.price;
  const minimum = (isOwnCost ? option.purchaseMinimum : option.minimum) ?? 0;
  const price = option.kind === 'fixed' ? toCents(rate) : percentOf(option.ofCents, rate);
  return {
    optionId: option.id,
    name: option.name,
    description: option.description,
    price: Math.max(price, toCents(minimum)),
    calculated: option.kind === 'percent' ? 1 : 0,
  };
}

function percentOf(cents: number, percent: string | number): number {
  return new Big(cents).times(percent).div(100).round(0, Big.roundHalfUp).toNumber();
}

function kg(grams: number): string {
  return `${new Big(grams).div(1000).toString()} kg`;
}

function placeName({ countryCode, province, zip }: QuoteDestination): string {
  return [countryCode, zip, province].filter(Boolean).join(' ');
}
