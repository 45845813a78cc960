/** A small piece of Italy: enough to route, to find a wrong postcode and to meet a name that exists twice. */
export interface Locality {
  name: string;
  province: string;
  provinceName: string;
  region: string;
  regionName: string;
  capFrom: string;
  capTo: string;
  depot: string;
  zone: string;
  km: number;
  hours: 24 | 48 | 72;
  remote: boolean;
  limitedTraffic: boolean;
}

const ROWS = `
Roma|RM|Roma|LAZ|Lazio|00118|00199|R1|12|8|24|-|Z
Tivoli|RM|Roma|LAZ|Lazio|00019|00019|R1|31|29|24|-|-
Milano|MI|Milano|LOM|Lombardia|20121|20162|MI|04|6|24|-|Z
Monza|MB|Monza e Brianza|LOM|Lombardia|20900|20900|MZ|02|3|24|-|-
Bergamo|BG|Bergamo|LOM|Lombardia|24121|24129|BG|03|5|24|-|-
Castro|BG|Bergamo|LOM|Lombardia|24063|24063|BG|27|44|48|-|-
Livigno|SO|Sondrio|LOM|Lombardia|23041|23041|SO|19|64|72|X|-
Livo|CO|Como|LOM|Lombardia|22010|22010|CO|22|51|48|X|-
Torino|TO|Torino|PIE|Piemonte|10121|10156|TO|05|7|24|-|Z
Samone|TO|Torino|PIE|Piemonte|10010|10010|TO|41|52|24|-|-
Genova|GE|Genova|LIG|Liguria|16121|16167|GE|03|9|24|-|Z
Aosta|AO|Aosta|VDA|Valle d'Aosta|11100|11100|AO|01|4|48|-|-
Trento|TN|Trento|TAA|Trentino-Alto Adige|38121|38123|TN|01|6|24|-|-
Livo|TN|Trento|TAA|Trentino-Alto Adige|38020|38020|TN|16|43|48|X|-
Samone|TN|Trento|TAA|Trentino-Alto Adige|38059|38059|TN|18|47|48|-|-
Bolzano|BZ|Bolzano|TAA|Trentino-Alto Adige|39100|39100|BZ|02|5|24|-|-
Verona|VR|Verona|VEN|Veneto|37121|37142|VR|04|8|24|-|Z
Padova|PD|Padova|VEN|Veneto|35121|35143|PD|03|7|24|-|-
Venezia|VE|Venezia|VEN|Veneto|30121|30176|VE|11|14|48|X|Z
Trieste|TS|Trieste|FVG|Friuli-Venezia Giulia|34121|34151|TS|02|6|24|-|-
Udine|UD|Udine|FVG|Friuli-Venezia Giulia|33100|33100|UD|01|5|24|-|-
Bologna|BO|Bologna|EMR|Emilia-Romagna|40121|40141|BO|06|9|24|-|Z
Modena|MO|Modena|EMR|Emilia-Romagna|41121|41126|MO|02|6|24|-|-
Parma|PR|Parma|EMR|Emilia-Romagna|43121|43126|PR|02|7|24|-|-
Forli|FC|Forli-Cesena|EMR|Emilia-Romagna|47121|47122|FO|03|6|24|-|-
Firenze|FI|Firenze|TOS|Toscana|50121|50145|FI|05|8|24|-|Z
Pisa|PI|Pisa|TOS|Toscana|56121|56128|PI|02|6|24|-|-
Isola del Giglio|GR|Grosseto|TOS|Toscana|58012|58012|GR|30|71|72|X|-
Perugia|PG|Perugia|UMB|Umbria|06121|06135|PG|03|9|24|-|-
Ancona|AN|Ancona|MAR|Marche|60121|60131|AN|02|7|24|-|-
Pescara|PE|Pescara|ABR|Abruzzo|65121|65129|PE|02|5|24|-|-
Campobasso|CB|Campobasso|MOL|Molise|86100|86100|CB|01|4|48|-|-
Napoli|NA|Napoli|CAM|Campania|80121|80147|NA|07|10|24|-|Z
Capri|NA|Napoli|CAM|Campania|80073|80073|NA|33|35|72|X|-
Salerno|SA|Salerno|CAM|Campania|84121|84135|SA|02|6|24|-|-
Bari|BA|Bari|PUG|Puglia|70121|70132|BA|03|8|24|-|-
Lecce|LE|Lecce|PUG|Puglia|73100|73100|LE|02|5|48|-|-
Castro|LE|Lecce|PUG|Puglia|73030|73030|LE|21|42|48|-|-
Potenza|PZ|Potenza|BAS|Basilicata|85100|85100|PZ|01|6|48|-|-
Reggio di Calabria|RC|Reggio di Calabria|CAL|Calabria|89121|89135|RC|02|7|48|-|-
Palermo|PA|Palermo|SIC|Sicilia|90121|90151|PA|04|9|48|-|-
Catania|CT|Catania|SIC|Sicilia|95121|95131|CT|03|8|48|-|-
Lampedusa|AG|Agrigento|SIC|Sicilia|92031|92031|AG|29|210|72|X|-
Cagliari|CA|Cagliari|SAR|Sardegna|09121|09134|CA|02|6|48|-|-
Sassari|SS|Sassari|SAR|Sardegna|07100|07100|SS|01|5|48|-|-`;

export const LOCALITIES: readonly Locality[] = ROWS.trim()
  .split('\n')
  .map((row) => {
    const [
      name = '',
      province = '',
      provinceName = '',
      region = '',
      regionName = '',
      capFrom = '',
      capTo = '',
      ...rest
    ] = row.split('|');
    const [depot = '', zone = '', km = '', hours = '', remote, limitedTraffic] = rest;
    return {
      name,
      province,
      provinceName,
      region,
      regionName,
      capFrom,
      capTo,
      depot,
      zone,
      km: Number(km),
      hours: Number(hours) as Locality['hours'],
      remote: remote === 'X',
      limitedTraffic: limitedTraffic === 'Z',
    };
  });

const PROVINCES = new Set(
  (
    'AG AL AN AO AP AQ AR AT AV BA BG BI BL BN BO BR BS BT BZ CA CB CE CH CL CN CO CR CS CT CZ EN FC FE FG FI FM FR GE GO GR ' +
    'IM IS KR LC LE LI LO LT LU MB MC ME MI MN MO MS MT NA NO NU OR PA PC PD PE PG PI PN PO PR PT PU PV PZ RA RC RE RG RI RM ' +
    'RN RO SA SI SO SP SR SS SU SV TA TE TN TO TP TR TS TV UD VA VB VC VE VI VR VT VV'
  ).split(' '),
);

function plain(name: string): string {
  return name
    .normalize('NFD')
    .replace(/[^A-Za-z]/g, '')
    .toUpperCase();
}

export function localitiesNamed(name: string, province: string): Locality[] {
  const wanted = plain(name);
  const inProvince = province.trim().toUpperCase();
  return LOCALITIES.filter((row) => plain(row.name) === wanted && (inProvince === '' || row.province === inProvince));
}

/** Suggests up to five localities for an unknown one: those of the province, else those whose names begin alike. */
export function candidatesFor(name: string, province: string): Locality[] {
  const near = LOCALITIES.filter((row) => row.province === province.trim().toUpperCase());
  if (near.length > 0) return near.slice(0, 5);
  const start = plain(name).slice(0, 3);
  return start.length < 3 ? [] : LOCALITIES.filter((row) => plain(row.name).startsWith(start)).slice(0, 5);
}

export function hasCap(locality: Locality, cap: string): boolean {
  return cap >= locality.capFrom && cap <= locality.capTo;
}

export interface Route {
  depot: string;
  depotName: string;
  zone: string;
}

/**
 * Returns the route; every Italian province has a depot. Null makes a "GLS Check": the postcode 00000 or one that is not five
 * digits, an unknown province, or INESISTENTE in the locality.
 */
export function routeOf({ city, zip, province }: { city: string; zip: string; province: string }): Route | null {
  const code = province.trim().toUpperCase();
  if (!/^\d{5}$/.test(zip) || zip === '00000' || !PROVINCES.has(code) || /INESISTENTE/i.test(city)) return null;
  const known = localitiesNamed(city, code)[0];
  if (known) return { depot: known.depot, depotName: known.name.toUpperCase(), zone: known.zone };
  return { depot: code, depotName: `SEDE ${code}`, zone: zip.slice(3) };
}
