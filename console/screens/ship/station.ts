import { useState } from 'preact/hooks';
import type { Schema } from '../../api/client.ts';

export type Parcel = Schema['Packing']['parcels'][number];
export type Size = Pick<Parcel, 'length_cm' | 'width_cm' | 'height_cm'>;

/** Settings of this browser, because a station has its own printer and its own boxes. */
export interface Station {
  isMuted: boolean;
  /** Name of the packing station whose printers print; empty: this browser prints. */
  printsAt: string;
  /** True: a bought label is printed at once. */
  printsAtOnce: boolean;
  /** True: every product must be scanned, or the check be left out by a key. */
  checksProducts: boolean;
  /** The boxes that were used last, newest first. */
  sizes: readonly Size[];
}

const KEPT = 'smista.station';
const MAX_SIZES = 6;
const FRESH: Station = { isMuted: false, printsAt: '', printsAtOnce: true, checksProducts: true, sizes: [] };

/** Returns the settings of the station and a function that changes some of them. */
export function useStation(): [Station, (change: Partial<Station>) => void] {
  const [station, set] = useState(read);
  return [
    station,
    (change) =>
      set((before) => {
        const after = { ...before, ...change };
        localStorage.setItem(KEPT, JSON.stringify(after));
        return after;
      }),
  ];
}

function read(): Station {
  try {
    return { ...FRESH, ...JSON.parse(localStorage.getItem(KEPT) ?? '{}') };
  } catch {
    return FRESH;
  }
}

/** Puts the sizes of parcels first among the last ones. */
export function remembered(sizes: readonly Size[], used: readonly Parcel[]): Size[] {
  const own = used
    .filter(({ length_cm, width_cm, height_cm }) => length_cm > 0 && width_cm > 0 && height_cm > 0)
    .map(({ length_cm, width_cm, height_cm }) => ({ length_cm, width_cm, height_cm }));
  const all = new Map([...own, ...sizes].toReversed().map((size) => [sizeName(size), size]));
  return [...all.values()].toReversed().slice(0, MAX_SIZES);
}

/** Returns a name such as "30 × 20 × 10". */
export function sizeName({ length_cm, width_cm, height_cm }: Size): string {
  return [length_cm, width_cm, height_cm].join(' × ');
}
