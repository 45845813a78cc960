import { describe, expect, it } from 'vitest';
import { firstMatch, mismatches, type RuleSubject, ShippingRule } from '../../src/domain/shipping-rules.ts';

const SUBJECT: RuleSubject = {
  grams: 12_000,
  grossCents: 8000,
  countryCode: 'IT',
  province: 'BO',
  zip: '40121',
  skus: ['MUG-01', 'FRAGILE-7'],
  marketplace: 'api',
  hasCod: false,
  options: ['SATURDAY'],
  warehouse: null,
  weekday: 'fri',
  time: '16:30',
};

const rule = (when: object) => ShippingRule.parse({ key: 'rule', when, then: { contract: 'x' } });

describe('a condition of a rule', () => {
  it.each([
    ['weight, both ends included', { weight_kg: { from: 12, to: 12 } }, { weight_kg: { from: 12.001 } }],
    ['value', { value: { to: 80 } }, { value: { to: 79.99 } }],
    ['country', { country: ['FR', 'IT'] }, { country: ['FR'] }],
    ['province, by code or name', { province: ['Bologna'] }, { province: ['MO'] }],
    ['postal code', { zip: ['40121'] }, { zip: ['40122'] }],
    ['beginning of a postal code', { zip: ['40*'] }, { zip: ['41*'] }],
    ['range of postal codes', { zip: ['40000-40199'] }, { zip: ['40122-40199'] }],
    ['sku of any line, with a star', { sku: ['fragile-*'] }, { sku: ['FRAGILE'] }],
    ['a dot in a sku as a dot', { sku: ['MUG-01'] }, { sku: ['MUG.01'] }],
    ['marketplace', { marketplace: ['api'] }, { marketplace: ['other'] }],
    ['cash on delivery', { cod: false }, { cod: true }],
    ['service level', { options: ['SATURDAY'] }, { options: ['EXPRESS'] }],
    ['weekday', { days: ['fri'] }, { days: ['sat', 'sun'] }],
    ['hour, both ends included', { hours: { to: '16:30' } }, { hours: { from: '16:31' } }],
  ])('looks at %s', (_what, holding, failing) => {
    expect(mismatches(rule(holding), SUBJECT)).toEqual([]);
    expect(mismatches(rule(failing), SUBJECT)).toHaveLength(1);
  });

  it('is one of several that must all hold', () => {
    expect(mismatches(rule({ country: ['IT'], weight_kg: { to: 5 }, cod: true }), SUBJECT)).toHaveLength(2);
  });
});

it('the first rule that matches counts', () => {
  const rules = [rule({ country: ['FR'] }), rule({ cod: false }), rule({})];

  expect(firstMatch(rules, SUBJECT)).toBe(rules[1]);
  expect(firstMatch(rules.slice(0, 1), SUBJECT)).toBeNull();
});
