import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'preact/hooks';
import { t } from '../../i18n/index.ts';
import { soundAlarm } from './alarm.ts';
import { type Bought, buy, isAnswered, NotBought } from './buy.ts';
import { findOrders, type Hit } from './find-orders.ts';
import { type Counts, count, judge, missing, type Pack, readPack } from './pack.ts';
import { type Fields, fieldsOf, parcelsOf } from './parcel-fields.ts';
import { remembered, type Station, sizeName } from './station.ts';

export type Phase =
  | { name: 'ready' }
  | { name: 'choose'; hits: readonly Hit[] }
  | { name: 'pack'; pack: Pack; counts: Counts; fields: Fields; key: string; isUnchecked: boolean; isBuying: boolean }
  | { name: 'label'; number: string; bought: Bought; printsAtOnce: boolean; printedAt: string | null };

/** Says what the last scan did. An alarm is loud. */
export interface Note {
  isAlarm: boolean;
  texts: readonly string[];
  error?: Error;
  deskId?: number | null;
}

export interface Packing {
  phase: Phase;
  note: Note | null;
  isLost: boolean;
  scan: (code: string) => void;
  /** Takes one key of a person for a choice; false: there is none. */
  press: (digit: string) => void;
  purchase: (isUnchecked: boolean) => void;
  change: (fields: Fields) => void;
  show: (orderId: number) => void;
  leave: () => void;
  /** Removes the note, which newer words contradict. */
  hush: () => void;
}

const READY: Phase = { name: 'ready' };

/** Follows the packer from the scan of an order to its label. */
export function usePacking(station: Station, set: (change: Partial<Station>) => void): Packing {
  const queries = useQueryClient();
  const [phase, showPhase] = useState<Phase>(READY);
  const [note, showNote] = useState<Note | null>(null);
  const [isLost, setLost] = useState(false);
  // The newest state: a scanner is faster than the next frame.
  const now = useRef<Phase>(READY);
  const scans = useRef(Promise.resolve());
  const go = (next: Phase): void => {
    now.current = next;
    showPhase(next);
  };
  const say = (...texts: string[]): void => showNote({ isAlarm: false, texts });
  const alarm = (texts: readonly string[], more: Partial<Note> = {}): void => {
    showNote({ isAlarm: true, texts, ...more });
    if (!station.isMuted) soundAlarm();
  };

  /** Reads an order for this screen, and for the query that follows it. */
  const read = async (id: number): Promise<Pack> => {
    const pack = await readPack(id);
    queries.setQueryData(packKey(id), pack);
    return pack;
  };

  const open = async (id: number): Promise<void> => {
    const pack = await read(id);
    const verdict = judge(pack);
    const { orderNumber: number } = pack.detail.order;
    const title = t('order.title', { number });
    if (verdict.name === 'refused') {
      go(READY);
      alarm([title, ...verdict.reasons], { deskId: verdict.deskId });
    } else if (verdict.name === 'shipped') {
      const { id: shipmentId, trackingNumber, printedAt } = verdict.shipment;
      go({ name: 'label', number, bought: { shipmentId, trackingNumber }, printsAtOnce: false, printedAt });
      alarm([title, t(printedAt === null ? 'ship.shipped' : 'ship.shippedPrinted')]);
    } else {
      const fields = fieldsOf(pack.packing.parcels);
      go({ name: 'pack', pack, counts: {}, fields, key: crypto.randomUUID(), isUnchecked: false, isBuying: false });
      say(t(station.checksProducts ? 'ship.scanProducts' : 'ship.enterBuys'));
    }
  };

  const find = async (code: string): Promise<void> => {
    const hits = await findOrders(code);
    const [only] = hits;
    if (!only) return alarm([t('ship.notFound', { code })]);
    if (hits.length === 1) return open(only.id);
    go({ name: 'choose', hits });
    say(t('ship.choose', { code }));
  };

  const put = (code: string, packed: Phase & { name: 'pack' }): void => {
    const { lines } = packed.pack.packing;
    const counts = count(lines, packed.counts, code);
    if (counts === 'excess') alarm([t('ship.excess', { code })]);
    else if (counts !== 'wrong') {
      go({ ...packed, counts });
      const left = missing(lines, counts);
      say(left === 0 ? t('ship.complete') : t('ship.left', { left }));
    } else if (/^[1-9]$/.test(code)) press(code);
    else alarm([t('ship.wrong', { code })]);
  };

  const press = (digit: string): void => {
    const current = now.current;
    const at = Number(digit) - 1;
    if (current.name === 'choose' && current.hits[at]) enqueue(() => open(current.hits[at]?.id ?? 0));
    const size = station.sizes[at];
    if (current.name !== 'pack' || current.isBuying) return;
    if (!size) {
      alarm([t('ship.wrong', { code: digit })]);
      return;
    }
    go({ ...current, fields: { ...current.fields, ...fieldsOf([{ weight_kg: 0, ...size }], 'size') } });
    say(t('ship.sized', { size: sizeName(size) }));
  };

  const purchase = async (isUnchecked: boolean): Promise<void> => {
    const packed = now.current;
    if (packed.name !== 'pack' || packed.isBuying) return;
    const { pack, counts, fields, key } = packed;
    const left = missing(pack.packing.lines, counts);
    const isWaived = packed.isUnchecked || isUnchecked;
    if (station.checksProducts && !isWaived && left > 0) return alarm([t('ship.left', { left })]);
    const parcels = parcelsOf(fields, pack.packing.parcels);
    if (!parcels) return alarm([t('ship.badParcels')]);
    const buying = { ...packed, isUnchecked: isWaived, isBuying: true };
    go(buying);
    say(t('order.shipping'));
    const { orderNumber: number } = pack.detail.order;
    // A packer who has gone on meanwhile finds the label among those that are not printed.
    const isGone = (): boolean => now.current !== buying;
    try {
      const bought = await buy({ pack, parcels, key, onLost: setLost });
      set({ sizes: remembered(station.sizes, parcels) });
      if (isGone()) return;
      go({ name: 'label', number, bought, printsAtOnce: station.printsAtOnce, printedAt: null });
      say(t('ship.bought', { number, tracking: bought.trackingNumber }));
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      const deskId = error instanceof NotBought ? error.deskId : null;
      const texts = [t('order.title', { number }), t(isAnswered(error) ? 'ship.refused' : 'ship.lost')];
      alarm(error instanceof NotBought ? [...texts, error.message] : texts, {
        deskId,
        ...(error instanceof NotBought || !isAnswered(error) ? {} : { error }),
      });
      if (isGone()) return;
      if (deskId !== null) return go(READY);
      const fresh = isAnswered(error) ? await read(pack.detail.order.id).catch(() => pack) : pack;
      if (!isGone())
        go({ ...buying, isBuying: false, pack: fresh, key: isAnswered(error) ? crypto.randomUUID() : key });
    } finally {
      setLost(false);
      void queries.invalidateQueries({ queryKey: ['list'] });
    }
  };

  const handle = async (code: string): Promise<void> => {
    const current = now.current;
    if (current.name === 'pack' && current.isBuying) return code === '' ? undefined : alarm([t('ship.wait')]);
    if (code === '') return void purchase(false);
    if (current.name === 'pack') return put(code, current);
    if (current.name === 'choose' && /^[1-9]$/.test(code)) return press(code);
    await find(code);
  };

  /** Scans wait for each other: the product may be scanned while its order is still looked up. */
  const enqueue = (work: () => Promise<void>): void => {
    scans.current = scans.current.then(work).catch((error: Error) => alarm([t('ship.failed')], { error }));
  };

  useLivePack(phase, (pack) => {
    const current = now.current;
    if (current.name !== 'pack' || current.isBuying) return;
    const { orderNumber: number } = pack.detail.order;
    if (judge(pack).name === 'packable') return go({ ...current, pack });
    go(READY);
    alarm([t('order.title', { number }), t('ship.changed')]);
  });

  return {
    phase,
    note,
    isLost,
    scan: (code) => enqueue(() => handle(code)),
    press,
    purchase: (isUnchecked) => void purchase(isUnchecked),
    change: (fields) => {
      const current = now.current;
      if (current.name === 'pack' && !current.isBuying) go({ ...current, fields });
    },
    show: (orderId) => enqueue(() => open(orderId)),
    hush: () => showNote(null),
    leave: () => {
      const current = now.current;
      go(READY);
      showNote(current.name === 'pack' && current.isBuying ? { isAlarm: false, texts: [t('ship.leftBuying')] } : null);
    },
  };
}

const packKey = (id: number) => ['order', id, 'pack'] as const;

/** Reads the packed order again when it changes, and tells what it is then. */
function useLivePack(phase: Phase, onChange: (pack: Pack) => void): void {
  const packed = phase.name === 'pack' ? phase : null;
  const id = packed?.pack.detail.order.id ?? 0;
  const live = useQuery({
    queryKey: packKey(id),
    queryFn: () => readPack(id),
    enabled: packed !== null && !packed.isBuying,
  });
  const newest = useRef(onChange);
  newest.current = onChange;
  const { data } = live;
  const shown = packed?.pack;
  useEffect(() => {
    if (data && shown && data.etag !== shown.etag) newest.current(data);
  }, [data, shown]);
}
