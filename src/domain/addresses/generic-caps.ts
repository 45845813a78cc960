/**
 * Cities with several postal codes, and the one that once stood for all of them. Written by hand, see
 * docs/decisions/0016-gazetteer-data.md.
 */
const CITIES_BY_GENERIC_CAP: ReadonlyMap<string, string> = new Map([
  ['00100', 'Roma'],
  ['06100', 'Perugia'],
  ['09100', 'Cagliari'],
  ['10100', 'Torino'],
  ['15100', 'Alessandria'],
  ['16100', 'Genova'],
  ['19100', 'La Spezia'],
  ['20100', 'Milano'],
  ['24100', 'Bergamo'],
  ['25100', 'Brescia'],
  ['29100', 'Piacenza'],
  ['30100', 'Venezia'],
  ['34100', 'Trieste'],
  ['35100', 'Padova'],
  ['37100', 'Verona'],
  ['38100', 'Trento'],
  ['40100', 'Bologna'],
  ['41100', 'Modena'],
  ['42100', "Reggio nell'Emilia"],
  ['43100', 'Parma'],
  ['44100', 'Ferrara'],
  ['47023', 'Cesena'],
  ['47100', 'Forlì'],
  ['47900', 'Rimini'],
  ['48100', 'Ravenna'],
  ['50100', 'Firenze'],
  ['56100', 'Pisa'],
  ['57100', 'Livorno'],
  ['60100', 'Ancona'],
  ['61100', 'Pesaro'],
  ['65100', 'Pescara'],
  ['70100', 'Bari'],
  ['71100', 'Foggia'],
  ['74100', 'Taranto'],
  ['80100', 'Napoli'],
  ['84100', 'Salerno'],
  ['89100', 'Reggio di Calabria'],
  ['90100', 'Palermo'],
  ['95100', 'Catania'],
  ['98100', 'Messina'],
]);

/** Returns the city that an old postal code stands for as a whole; null for every other. */
export function cityOfGenericCap(cap: string): string | null {
  return CITIES_BY_GENERIC_CAP.get(cap.trim()) ?? null;
}
