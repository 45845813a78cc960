import { centsOf, percentOf } from './amount.ts';
import type { CompiledOption } from './compile.ts';
import type { QuoteInput, QuoteRefusal, Side } from './quote-input.ts';

export interface QuotedOption {
  optionId: number;
  name: string;
  description: string;
  /** Cents. */
  price: number;
  /** 1 when computed from an amount, 0 when fixed. */
  calculated: 0 | 1;
}

export interface ChosenOption extends CompiledOption {
  /** Cents that the percentage applies to. */
  ofCents: number;
}

/** To a locker or shop: charged where the list has a price, and never refused where it has none. */
const PICKUP_POINT = 'LOCKER';

/** Returns the requested options in the list's order. Throws for an option that the list lacks. */
export function chooseOptions(input: QuoteInput): ChosenOption[] | QuoteRefusal {
  const { options } = input.prices;
  const wanted = new Map<string, number | null>();
  for (const code of input.optionCodes) {
    const written = code.trim().toUpperCase();
    const meant = options.find(({ option }) => option.carrierCodes?.includes(written));
    wanted.set(meant?.option.code ?? written, null);
  }
  if (input.isToPickupPoint) wanted.set(PICKUP_POINT, null);
  if (input.cod) wanted.set('COD', input.cod.amountCents);
  if (input.insuredCents !== null) wanted.set('INSURANCE', input.insuredCents);
  const chosen: ChosenOption[] = [];
  for (const [code, ofCents] of wanted) {
    const own = options.filter(({ option }) => option.code === code);
    const compiled = code === 'COD' ? codOption(own, input.cod?.paymentType ?? '') : own[0];
    if (!compiled) {
      if (code === PICKUP_POINT) continue;
      const how = code === 'COD' && own.length > 0 ? ` for the payment type ${input.cod?.paymentType}` : '';
      return { refused: `has no option ${code}${how}: add it, with price 0 if it costs nothing` };
    }
    if (compiled.option.kind === 'percent' && ofCents === null) {
      return { refused: `has option ${code} as a percentage: an amount is needed` };
    }
    chosen.push({ ...compiled, ofCents: ofCents ?? 0 });
  }
  return chosen.toSorted((a, b) => options.findIndex(isSame(a)) - options.findIndex(isSame(b)));
}

function isSame(one: CompiledOption): (other: CompiledOption) => boolean {
  return ({ option }) => option.id === one.option.id;
}

/** Returns the option of the payment type, else the one for all of them. */
function codOption(own: readonly CompiledOption[], paymentType: string): CompiledOption | undefined {
  const type = paymentType.trim().toUpperCase();
  return (
    own.find(({ option }) => option.paymentTypes?.includes(type)) ??
    own.find(({ option }) => option.paymentTypes === undefined)
  );
}

export function priceOptions(side: Side, chosen: readonly ChosenOption[]): QuotedOption[] {
  return chosen.map(({ option, price, minimum, maximum, ofCents }) => {
    const amount = option.kind === 'fixed' ? centsOf(price[side]) : percentOf(ofCents, price[side]);
    return {
      optionId: option.id,
      name: option.name,
      description: option.description,
      price: Math.min(Math.max(amount, minimum[side]), maximum),
      calculated: option.kind === 'percent' ? 1 : 0,
    };
  });
}
