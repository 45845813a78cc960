import { describe, expect, it } from 'vitest';
import {
  readGrams,
  readWeightLabel,
  unitOf,
  type WrittenWeight,
} from '../../../../src/domain/pricing/sheets/weights.ts';

function grams(weight: WrittenWeight | null): number | string | null {
  if (!weight) return null;
  const reading = readGrams(weight, ',', null);
  return 'grams' in reading ? reading.grams : reading.problem;
}

/** `from-to`, `over/each` or the kind, in grams. */
function shown(text: string | number): string | null {
  const label = readWeightLabel(text);
  if (label === null) return null;
  if (label.kind === 'bracket') return `${grams(label.from) ?? ''}-${grams(label.to)}`;
  return label.kind === 'step' ? `${grams(label.over) ?? ''}/${grams(label.every)}` : 'minimum';
}

describe('weights as people write them', () => {
  it.each<[string | number, string]>([
    [3, '-3000'],
    ['3', '-3000'],
    ['3 kg', '-3000'],
    ['3 Kg.', '-3000'],
    ['0,5', '-500'],
    ['500 g', '-500'],
    ['fino a 3 kg', '-3000'],
    ['fino a kg 3', '-3000'],
    ['Peso fino a 3', '-3000'],
    ['A 3', '-3000'],
    ['≤ 3 kg', '-3000'],
    ['up to 3 kg', '-3000'],
    ['1 000 kg', '-1000000'],
    ['0-3', '0-3000'],
    ['3–5 kg', '3000-5000'],
    ['0-500 g', '0-500'],
    ['500 g - 1 kg', '500-1000'],
    ['da 0 a 3', '0-3000'],
    ['da kg 3 a kg 5', '3000-5000'],
    ['da 3,01 a 5', '3010-5000'],
    ['oltre 3 fino a 5 kg', '3000-5000'],
    ['oltre 100 kg, ogni 10 kg', '100000/10000'],
    ['Oltre i 100 kg (per ogni 10 kg o frazione)', '100000/10000'],
    ['ogni kg in più', '/1000'],
    ['per ogni kg oltre i 100 kg', '100000/1000'],
    ['kg aggiuntivo', '/1000'],
    ['each additional 10 kg', '/10000'],
    ['minimo', 'minimum'],
    ['Importo minimo', 'minimum'],
  ])('%j is %s', (text, expected) => {
    expect(shown(text)).toBe(expected);
  });

  it.each(['', 'Zona 1', 'oltre 100 kg', 'per kg', '2027-03-01', 'fino a 3O kg', '3) IVA esclusa', 'ogni spedizione'])(
    '%j is none',
    (text) => {
      expect(shown(text)).toBeNull();
    },
  );

  it('take the unit of their heading, and are whole grams', () => {
    expect([unitOf('Peso (g)'), unitOf('Peso in Kg'), unitOf('Zona')]).toEqual(['g', 'kg', null]);
    expect(readGrams({ number: '500', unit: null }, null, 'g')).toEqual({ grams: 500 });
    expect(readGrams({ number: '500', unit: 'kg' }, null, 'g')).toEqual({ grams: 500_000 });
    expect(readGrams({ number: '0,0005', unit: null }, ',', 'kg')).toEqual({
      problem: 'A weight has no parts of a gram: 0,0005',
    });
    expect(readGrams({ number: '1.000', unit: null }, ',', 'kg')).toEqual({
      problem: '1.000 may mean 1000 or 1.000: write it without a doubt',
    });
  });
});
