/** A part of Italy that price lists and carriers name. */
export interface NamedArea {
  code: string;
  name: string;
  /**
   * A destination needs to match only one. Regions and provinces by code, postal codes single or as a range, places as
   * `Capri (NA)`.
   */
  match: { regions?: string[]; provinces?: string[]; postalCodes?: string[]; places?: string[] };
}

/** Geography only: a carrier's own disadvantaged places and limited-traffic zones change with the carrier. */
export const NAMED_AREAS: readonly NamedArea[] = [
  { code: 'ISLANDS', name: 'Sicilia and Sardegna, with their small islands', match: { regions: ['SIC', 'SAR'] } },
  {
    code: 'MINOR_ISLANDS',
    name: 'Small islands in the sea that are a comune or several',
    match: {
      places: [
        'Anacapri (NA)',
        "Barano d'Ischia (NA)",
        'Capri (NA)',
        'Casamicciola Terme (NA)',
        'Forio (NA)',
        'Ischia (NA)',
        'Lacco Ameno (NA)',
        'Procida (NA)',
        'Serrara Fontana (NA)',
        'Ponza (LT)',
        'Ventotene (LT)',
        'Isola del Giglio (GR)',
        "Campo nell'Elba (LI)",
        'Capoliveri (LI)',
        'Capraia Isola (LI)',
        'Marciana (LI)',
        'Marciana Marina (LI)',
        'Porto Azzurro (LI)',
        'Portoferraio (LI)',
        'Rio (LI)',
        'La Maddalena (SS)',
        'Calasetta (SU)',
        'Carloforte (SU)',
        "Sant'Antioco (SU)",
        'Leni (ME)',
        'Lipari (ME)',
        'Malfa (ME)',
        'Santa Marina Salina (ME)',
        'Favignana (TP)',
        'Pantelleria (TP)',
        'Ustica (PA)',
        'Lampedusa e Linosa (AG)',
        'Isole Tremiti (FG)',
      ],
    },
  },
  {
    code: 'VENICE_LAGOON',
    name: 'Venezia by boat: the historic centre, Lido and Pellestrina, Murano, Burano',
    match: { postalCodes: ['30121-30135', '30141', '30142'] },
  },
  { code: 'LIVIGNO', name: 'Livigno', match: { postalCodes: ['23041'], places: ['Livigno (SO)'] } },
  {
    code: 'CAMPIONE',
    name: "Campione d'Italia",
    match: { postalCodes: ['22061'], places: ["Campione d'Italia (CO)"] },
  },
];
