import { PriceList } from '../price-list.ts';
import { cellText, type Sheet, type SheetProblem } from './sheet.ts';
import { readZones } from './workbook.ts';
import { ZONES } from './workbook-columns.ts';
import type { ZoneIdentity } from './zone-headings.ts';

const Identity = PriceList.shape.zones.element.omit({ sale: true, purchase: true });

/**
 * Reads zones without prices from a file with the columns of the sheet `Zones`: the sheet of that name, else the first
 * one.
 */
export function readZonesFile(sheets: readonly Sheet[]): { zones: ZoneIdentity[]; problems: SheetProblem[] } {
  const sheet = sheets.find(({ name }) => name.toLowerCase() === ZONES.sheet.toLowerCase()) ?? sheets[0];
  if (!sheet) return { zones: [], problems: [] };
  const { zones, index, problems } = readZones(sheet);
  if (zones.length === 0 && problems.length === 0) {
    problems.push({ sheet: sheet.name, row: 1, column: 1, message: 'There are no zones below the headings' });
  }
  const seen = new Set<string>();
  const read = zones.flatMap((zone, position): ZoneIdentity[] => {
    const at = index.find(['zones', position]) ?? { sheet: sheet.name, row: 1, column: 1 };
    const code = cellText(String(zone.code));
    if (seen.has(code)) problems.push({ ...at, message: `Two zones have the code ${code}` });
    seen.add(code);
    const parsed = Identity.safeParse(zone);
    if (parsed.success) return [parsed.data];
    for (const { path, message } of parsed.error.issues) {
      problems.push({ ...(index.find(['zones', position, ...path]) ?? at), message });
    }
    return [];
  });
  return { zones: read, problems };
}
