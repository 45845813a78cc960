/** An Italian region; the code is ours, three letters. */
export interface Region {
  code: string;
  name: string;
}

/** Code, name, and its other names. */
const TABLE: readonly (readonly [code: string, name: string, ...others: string[]])[] = [
  ['ABR', 'Abruzzo', 'Abruzzi'],
  ['BAS', 'Basilicata', 'Lucania'],
  ['CAL', 'Calabria'],
  ['CAM', 'Campania'],
  ['EMR', 'Emilia-Romagna'],
  ['FVG', 'Friuli-Venezia Giulia', 'Friuli'],
  ['LAZ', 'Lazio', 'Latium'],
  ['LIG', 'Liguria'],
  ['LOM', 'Lombardia', 'Lombardy'],
  ['MAR', 'Marche', 'The Marches'],
  ['MOL', 'Molise'],
  ['PIE', 'Piemonte', 'Piedmont'],
  ['PUG', 'Puglia', 'Puglie', 'Apulia'],
  ['SAR', 'Sardegna', 'Sardinia'],
  ['SIC', 'Sicilia', 'Sicily'],
  ['TOS', 'Toscana', 'Tuscany'],
  ['TAA', 'Trentino-Alto Adige/Südtirol', 'Trentino', 'Alto Adige', 'Südtirol', 'Trentino-South Tyrol'],
  ['UMB', 'Umbria'],
  ['VDA', "Valle d'Aosta/Vallée d'Aoste", "Val d'Aosta", "Vallée d'Aoste", 'Aosta Valley'],
  ['VEN', 'Veneto'],
];

export const REGIONS: readonly Region[] = TABLE.map(([code, name]) => ({ code, name }));

export const REGION_NAMES: readonly (readonly [name: string, code: string])[] = TABLE.flatMap(([code, ...names]) =>
  names.map((name) => [name, code] as const),
);
