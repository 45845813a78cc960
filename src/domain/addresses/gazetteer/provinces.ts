import { REGIONS, type Region } from './regions.ts';

/** An Italian province, metropolitan city or free consortium, with the two letters that addresses use. */
export interface Province {
  code: string;
  name: string;
  region: Region;
}

/** Code, name, region, the first two digits of its postal codes, and its other names. */
const TABLE: readonly (readonly [code: string, name: string, region: string, cap: string, ...others: string[]])[] = [
  ['AG', 'Agrigento', 'SIC', '92'],
  ['AL', 'Alessandria', 'PIE', '15'],
  ['AN', 'Ancona', 'MAR', '60'],
  ['AO', "Valle d'Aosta/Vallée d'Aoste", 'VDA', '11', 'Aosta', "Val d'Aosta", "Vallée d'Aoste", 'Aoste'],
  ['AP', 'Ascoli Piceno', 'MAR', '63', 'Ascoli'],
  ['AQ', "L'Aquila", 'ABR', '67', 'Aquila'],
  ['AR', 'Arezzo', 'TOS', '52'],
  ['AT', 'Asti', 'PIE', '14'],
  ['AV', 'Avellino', 'CAM', '83'],
  ['BA', 'Bari', 'PUG', '70'],
  ['BG', 'Bergamo', 'LOM', '24'],
  ['BI', 'Biella', 'PIE', '13'],
  ['BL', 'Belluno', 'VEN', '32'],
  ['BN', 'Benevento', 'CAM', '82'],
  ['BO', 'Bologna', 'EMR', '40'],
  ['BR', 'Brindisi', 'PUG', '72'],
  ['BS', 'Brescia', 'LOM', '25'],
  ['BT', 'Barletta-Andria-Trani', 'PUG', '76', 'BAT', 'Barletta', 'Andria', 'Trani'],
  ['BZ', 'Bolzano/Bozen', 'TAA', '39', 'Bozen', 'Alto Adige', 'Südtirol', 'South Tyrol'],
  ['CA', 'Cagliari', 'SAR', '09'],
  ['CB', 'Campobasso', 'MOL', '86'],
  ['CE', 'Caserta', 'CAM', '81'],
  ['CH', 'Chieti', 'ABR', '66'],
  ['CL', 'Caltanissetta', 'SIC', '93'],
  ['CN', 'Cuneo', 'PIE', '12'],
  ['CO', 'Como', 'LOM', '22'],
  ['CR', 'Cremona', 'LOM', '26'],
  ['CS', 'Cosenza', 'CAL', '87'],
  ['CT', 'Catania', 'SIC', '95'],
  ['CZ', 'Catanzaro', 'CAL', '88'],
  ['EN', 'Enna', 'SIC', '94'],
  ['FC', 'Forlì-Cesena', 'EMR', '47', 'Forlì', 'Cesena'],
  ['FE', 'Ferrara', 'EMR', '44'],
  ['FG', 'Foggia', 'PUG', '71'],
  ['FI', 'Firenze', 'TOS', '50', 'Florence'],
  ['FM', 'Fermo', 'MAR', '63'],
  ['FR', 'Frosinone', 'LAZ', '03'],
  ['GE', 'Genova', 'LIG', '16', 'Genoa'],
  ['GO', 'Gorizia', 'FVG', '34'],
  ['GR', 'Grosseto', 'TOS', '58'],
  ['IM', 'Imperia', 'LIG', '18'],
  ['IS', 'Isernia', 'MOL', '86'],
  ['KR', 'Crotone', 'CAL', '88'],
  ['LC', 'Lecco', 'LOM', '23'],
  ['LE', 'Lecce', 'PUG', '73'],
  ['LI', 'Livorno', 'TOS', '57', 'Leghorn'],
  ['LO', 'Lodi', 'LOM', '26'],
  ['LT', 'Latina', 'LAZ', '04'],
  ['LU', 'Lucca', 'TOS', '55'],
  ['MB', 'Monza e della Brianza', 'LOM', '20', 'Monza'],
  ['MC', 'Macerata', 'MAR', '62'],
  ['ME', 'Messina', 'SIC', '98'],
  ['MI', 'Milano', 'LOM', '20', 'Milan'],
  ['MN', 'Mantova', 'LOM', '46', 'Mantua'],
  ['MO', 'Modena', 'EMR', '41'],
  ['MS', 'Massa-Carrara', 'TOS', '54', 'Massa', 'Carrara'],
  ['MT', 'Matera', 'BAS', '75'],
  ['NA', 'Napoli', 'CAM', '80', 'Naples'],
  ['NO', 'Novara', 'PIE', '28'],
  ['NU', 'Nuoro', 'SAR', '08', 'Ogliastra'],
  ['OR', 'Oristano', 'SAR', '09'],
  ['PA', 'Palermo', 'SIC', '90'],
  ['PC', 'Piacenza', 'EMR', '29'],
  ['PD', 'Padova', 'VEN', '35', 'Padua'],
  ['PE', 'Pescara', 'ABR', '65'],
  ['PG', 'Perugia', 'UMB', '06'],
  ['PI', 'Pisa', 'TOS', '56'],
  ['PN', 'Pordenone', 'FVG', '33'],
  ['PO', 'Prato', 'TOS', '59'],
  ['PR', 'Parma', 'EMR', '43'],
  ['PT', 'Pistoia', 'TOS', '51'],
  ['PU', 'Pesaro e Urbino', 'MAR', '61', 'Pesaro', 'Urbino'],
  ['PV', 'Pavia', 'LOM', '27'],
  ['PZ', 'Potenza', 'BAS', '85'],
  ['RA', 'Ravenna', 'EMR', '48'],
  ['RC', 'Reggio Calabria', 'CAL', '89'],
  ['RE', "Reggio nell'Emilia", 'EMR', '42', 'Reggio Emilia'],
  ['RG', 'Ragusa', 'SIC', '97'],
  ['RI', 'Rieti', 'LAZ', '02'],
  ['RM', 'Roma', 'LAZ', '00', 'Rome'],
  ['RN', 'Rimini', 'EMR', '47'],
  ['RO', 'Rovigo', 'VEN', '45'],
  ['SA', 'Salerno', 'CAM', '84'],
  ['SI', 'Siena', 'TOS', '53'],
  ['SO', 'Sondrio', 'LOM', '23'],
  ['SP', 'La Spezia', 'LIG', '19', 'Spezia'],
  ['SR', 'Siracusa', 'SIC', '96', 'Syracuse'],
  ['SS', 'Sassari', 'SAR', '07', 'Olbia-Tempio', 'Gallura Nord-Est Sardegna', 'Gallura', 'Olbia'],
  [
    'SU',
    'Sud Sardegna',
    'SAR',
    '09',
    'Carbonia-Iglesias',
    'Medio Campidano',
    'Sulcis Iglesiente',
    'Carbonia',
    'Iglesias',
  ],
  ['SV', 'Savona', 'LIG', '17'],
  ['TA', 'Taranto', 'PUG', '74'],
  ['TE', 'Teramo', 'ABR', '64'],
  ['TN', 'Trento', 'TAA', '38', 'Trentino', 'Trient'],
  ['TO', 'Torino', 'PIE', '10', 'Turin'],
  ['TP', 'Trapani', 'SIC', '91'],
  ['TR', 'Terni', 'UMB', '05'],
  ['TS', 'Trieste', 'FVG', '34'],
  ['TV', 'Treviso', 'VEN', '31'],
  ['UD', 'Udine', 'FVG', '33'],
  ['VA', 'Varese', 'LOM', '21'],
  ['VB', 'Verbano-Cusio-Ossola', 'PIE', '28', 'Verbania', 'VCO'],
  ['VC', 'Vercelli', 'PIE', '13'],
  ['VE', 'Venezia', 'VEN', '30', 'Venice'],
  ['VI', 'Vicenza', 'VEN', '36'],
  ['VR', 'Verona', 'VEN', '37'],
  ['VT', 'Viterbo', 'LAZ', '01'],
  ['VV', 'Vibo Valentia', 'CAL', '89', 'Vibo'],
];

/**
 * Former codes. FO and PS were renamed. The four Sardinian ones were abolished in 2016, and a regional law of 2021
 * brings such provinces back, partly under other names. We do not know which of those codes a carrier takes. So each is
 * read as the province of 2016 that its comuni belong to.
 */
const FORMER_CODES: Readonly<Record<string, string>> = { FO: 'FC', PS: 'PU', CI: 'SU', VS: 'SU', OG: 'NU', OT: 'SS' };

const regions = new Map(REGIONS.map((region) => [region.code, region]));

export const PROVINCES: readonly Province[] = TABLE.map(([code, name, regionCode]) => {
  const region = regions.get(regionCode);
  if (!region) throw new Error(`There is no region ${regionCode}`);
  return { code, name, region };
});

/** Includes the former codes. */
export const PROVINCE_CODES: readonly (readonly [written: string, code: string])[] = [
  ...TABLE.map(([code]) => [code, code] as const),
  ...Object.entries(FORMER_CODES),
];

export const PROVINCE_NAMES: readonly (readonly [name: string, code: string])[] = TABLE.flatMap(
  ([code, name, _region, _cap, ...others]) => [name, ...others].map((written) => [written, code] as const),
);

const CAP_BEGINNINGS: ReadonlyMap<string, string> = new Map(TABLE.map(([code, _name, _region, cap]) => [code, cap]));

/**
 * Returns the first two digits of a province's postal codes: Bologna has 40. They are common knowledge, not taken from a
 * list of postal codes.
 */
export function firstDigitsOf(province: Province): string {
  return CAP_BEGINNINGS.get(province.code) ?? '';
}
