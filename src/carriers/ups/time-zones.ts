/**
 * The zone of most parcels in countries with several, chosen by where UPS's air hubs or most people are. Zones are those of the IANA
 * time zone database as in Node's ICU, read on 2026-11-22. Every other country has one zone there, or none that differs.
 */
const MAIN_ZONES: Readonly<Record<string, string>> = {
  AR: 'America/Argentina/Buenos_Aires',
  AU: 'Australia/Sydney',
  BR: 'America/Sao_Paulo',
  CA: 'America/Toronto',
  CL: 'America/Santiago',
  CN: 'Asia/Shanghai',
  CY: 'Asia/Nicosia',
  DE: 'Europe/Berlin',
  EC: 'America/Guayaquil',
  ES: 'Europe/Madrid',
  ID: 'Asia/Jakarta',
  KZ: 'Asia/Almaty',
  MX: 'America/Mexico_City',
  MY: 'Asia/Kuala_Lumpur',
  NZ: 'Pacific/Auckland',
  PT: 'Europe/Lisbon',
  RU: 'Europe/Moscow',
  UA: 'Europe/Kyiv',
  // UPS's world hub is in Louisville, on Eastern time.
  US: 'America/New_York',
  UZ: 'Asia/Tashkent',
};

/** In Node's V8, and not in TypeScript's library yet. */
interface LocaleWithZones extends Intl.Locale {
  getTimeZones(): string[] | undefined;
}

/** Returns the time zone of a country by its ISO 3166 code; undefined for anything that is no such code. */
export function timeZoneOf(country: string): string | undefined {
  const code = country.toUpperCase();
  if (!/^[A-Z]{2}$/.test(code)) return undefined;
  return MAIN_ZONES[code] ?? (new Intl.Locale(`und-${code}`) as LocaleWithZones).getTimeZones()?.[0];
}
