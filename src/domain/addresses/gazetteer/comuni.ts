import { readFileSync } from 'node:fs';
import { comparableName } from './comparable-name.ts';
import { COMUNE_ALIASES } from './comune-aliases.ts';
import { lazily } from './lazily.ts';
import { PROVINCES, type Province } from './provinces.ts';

/** An Italian municipality. */
export interface Comune {
  name: string;
  province: Province;
}

/** One name of a comune in the comparable spelling. */
interface NamedComune {
  name: string;
  comune: Comune;
}

const comuni = lazily((): readonly Comune[] => {
  const provinces = new Map(PROVINCES.map((province) => [province.code, province]));
  const lines = readFileSync(new URL('./comuni.txt', import.meta.url), 'utf8').split('\n');
  return lines.flatMap((line) => {
    const province = provinces.get(line.slice(0, 2));
    return province ? [{ name: line.slice(3), province }] : [];
  });
});

/** Every name of every comune, aliases too. */
export const namedComuni = lazily((): readonly NamedComune[] =>
  comuni().flatMap((comune) => {
    const aliases = COMUNE_ALIASES[comune.province.code]?.find(([name]) => name === comune.name) ?? [comune.name];
    return [...new Set(aliases.map(comparableName))].map((name) => ({ name, comune }));
  }),
);

const byName = lazily(() => Map.groupBy(namedComuni(), ({ name }) => name));

/** Returns the comuni of a name in the comparable spelling. */
export function comuniByName(name: string): readonly Comune[] {
  return (
    byName()
      .get(name)
      ?.map(({ comune }) => comune) ?? []
  );
}

/** All of them, in the order of their provinces. */
export const allComuni: () => readonly Comune[] = comuni;
