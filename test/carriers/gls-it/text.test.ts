import { describe, expect, it } from 'vitest';
import { glsText, streetText } from '../../../src/carriers/gls-it/text.ts';

describe('writing as GLS Italy reads', () => {
  it.each([
    ['Caffè & Così Società', "Caffe' e Cosi' Societa'"],
    ['Müller – “Straße”', 'Muller - "Strasse"'],
    ['Dell’Orto\tSrl', "Dell'Orto Srl"],
  ])('writes "%s" as "%s"', (text, expected) => {
    expect(glsText(text)).toBe(expected);
  });

  it.each([
    ['Via Roma 12', 'Via Roma, 12'],
    ['Via della Spiga, 3/B', 'Via Spiga, 3/B'],
    ['Piazza S. Maria Novella 18 bis', 'Piazza Santa Maria Novella, 18 bis'],
    ['Via S.Andrea 4', "Via Sant'Andrea, 4"],
    ['Contrada Serra snc', 'Contrada Serra, snc'],
    ['Rossi c/o Bar Sport', 'Rossi - Bar Sport'],
    ['Via Generale Carlo Alberto Dalla Chiesa 125/A', 'Via Generale Carlo Alberto Dalla Chiesa, 125/A'],
  ])('writes the street "%s" as "%s"', (street, expected) => {
    expect(streetText(street)).toBe(expected);
  });
});
