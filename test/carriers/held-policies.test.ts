import { describe, expect, it } from 'vitest';
import { TRACKING_CODES as BRT } from '../../src/carriers/brt/tracking-codes.ts';
import { TRACKING_CODES as DHL } from '../../src/carriers/dhl-express/tracking-codes.ts';
import { TRACKING_CODES as GLS } from '../../src/carriers/gls-it/tracking-codes.ts';
import { carriers } from '../../src/carriers/index.ts';
import { TRACKING_CODES as UPS } from '../../src/carriers/ups/tracking-codes.ts';
import type { HeldAction } from '../../src/domain/held-actions.ts';
import { offeredActions, UNKNOWN_POLICY } from '../../src/domain/held-policy.ts';
import { HELD_REASON_NAMES } from '../../src/domain/held-reasons.ts';

const FIVE: readonly HeldAction[] = [
  'REDISPATCH_SAME_ADDRESS',
  'REDISPATCH_NEW_ADDRESS',
  'RETURN_TO_SENDER',
  'DESTROY',
  'PICKUP_AT_DEPOT',
];
const offersOf = (id: string) => {
  const carrier = carriers.get(id);
  return offeredActions(carrier?.heldActions ?? [], carrier?.held ?? UNKNOWN_POLICY);
};

interface Meaning {
  status: string;
  heldReason?: string;
  announcesHeld?: { inDays: number | null };
}
type Table = Readonly<Record<string, Meaning>>;

describe('the decision about a held parcel', () => {
  it('at GLS is what its interface takes, with what it charges', () => {
    expect(offersOf('gls-it')).toEqual(
      FIVE.map((action) => ({ action, via: 'api', billed: !['DESTROY', 'PICKUP_AT_DEPOT'].includes(action) })),
    );
    expect(carriers.get('gls-it')?.held).toMatchObject({
      term: { days: 10, of: 'calendar' },
      byDefault: 'return_or_destroy',
    });
  });

  it('at Poste has places of its own too; what they cost is not known', () => {
    const actions = [...FIVE, 'PICKUP_AT_OFFICE', 'PICKUP_AT_LOCKER', 'PICKUP_AT_SHOP'];

    expect(offersOf('poste-it')).toEqual(
      expect.arrayContaining(actions.map((action) => ({ action, via: 'api', billed: null }))),
    );
    expect(carriers.get('poste-it')?.held?.term).toEqual({ days: 10, of: 'working' });
  });

  it('at BRT is decided in its portal, whose steps are told', () => {
    expect(offersOf('brt')).toEqual(FIVE.map((action) => ({ action, via: 'portal', billed: null })));
    expect(carriers.get('brt')?.held).toMatchObject({ term: null, byDefault: null });
    expect(carriers.get('brt')?.held?.portalSteps?.length).toBeGreaterThan(2);
  });

  it.each(['dhl-express', 'ups', 'fedex', 'inpost-it'])('at %s is not known, and not made up', (id) => {
    expect(offersOf(id)).toBeNull();
  });

  it.each([...carriers.values()].map((carrier) => [carrier.id, carrier] as const))(
    'at %s by its interface needs an interface',
    (_id, carrier) => {
      expect(carrier.heldActions === undefined).toBe(carrier.releaseHeld === undefined);
    },
  );
});

describe('codes that announce a giacenza', () => {
  const announced = (table: Table) =>
    Object.entries(table)
      .flatMap(([code, { announcesHeld }]) => (announcesHeld ? [`${code}:${announcesHeld.inDays ?? '?'}`] : []))
      .toSorted();

  it.each([
    ['GLS', GLS as Table, '10:3 72:? 75:2'],
    ['DHL', DHL as Table, 'BA:? CM:? RD:?'],
    ['UPS', UPS as Table, '64:?'],
    [
      'BRT',
      BRT as Table,
      '001:? 002:? 003:? 004:? 005:? 006:? 008:? 009:? 012:? 017:? 019:? 021:? 022:? 024:? 026:? 028:? 032:? 035:? 037:? 050:? 051:? 052:? G02:2 G03:3 G05:5 G09:9',
    ],
  ])('of %s are those, with the days until it opens', (_name, table, codes) => {
    expect(announced(table)).toEqual(codes.split(' '));
  });

  it.each([
    ['GLS', GLS as Table],
    ['DHL', DHL as Table],
    ['UPS', UPS as Table],
    ['BRT', BRT as Table],
  ])('of %s name reasons that there are plain words for, and are never held themselves', (_name, table) => {
    for (const { status, heldReason, announcesHeld } of Object.values(table)) {
      if (heldReason) expect(HELD_REASON_NAMES).toContain(heldReason);
      if (announcesHeld) expect(status).not.toBe('held');
    }
  });
});
