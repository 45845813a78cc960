interface Point {
  kind: string;
  zip: string;
  code: string;
  name: string;
  address: string;
  city: string;
  province: string;
  x: string;
  y: string;
}

/** Invented ones. */
const POINTS: readonly Point[] = [
  ['APT', '20121', 'L0001', 'Locker di prova Milano 1', 'VIA DI PROVA 1', 'MILANO', 'MI', '9.18951', '45.46427'],
  ['RTZ', '20121', 'Z0001', 'Punto di prova Milano 1', 'VIA DI PROVA 2', 'MILANO', 'MI', '9.19012', '45.46391'],
  ['RTZ', '20121', 'Z0002', 'Punto di prova Milano 2', 'VIA DI PROVA 3', 'MILANO', 'MI', '9.19144', '45.46555'],
  ['RTZ', '00185', 'Z0003', 'Punto di prova Roma 1', 'VIA DI PROVA 4', 'ROMA', 'RM', '12.50010', '41.89640'],
].map(([kind = '', zip = '', code = '', name = '', address = '', city = '', province = '', x = '', y = '']) => ({
  kind,
  zip,
  code,
  name,
  address,
  city,
  province,
  x,
  y,
}));

/** Lists the points of a kind in a postcode, padded with blanks as Poste does. */
export function pointsAnswer({ zipCode, serviceType }: { zipCode: string; serviceType: string }): object {
  if (!/^\d{5}$/.test(zipCode) || !/^(APT|CPT|FMP|RTZ)$/.test(serviceType)) {
    return { return: { outcome: 'KO', code: 100, deliveryPoint: [] } };
  }
  const found = POINTS.filter(({ kind, zip }) => kind === serviceType && zip === zipCode);
  return { return: { outcome: 'OK', code: 0, deliveryPoint: found.map(pointOf) } };
}

function pointOf({ code, name, address, city, province, zip, x, y }: Point): object {
  return {
    officeCode: code.padEnd(8),
    officeDescription: name.padEnd(60),
    address: address.padEnd(60),
    place: city.padEnd(40),
    province: province.padEnd(4),
    zipCode: zip.padEnd(8),
    phone: ''.padEnd(15),
    openTimeMon: '08:00:00 ',
    closeTimeMon: '18:00:00 ',
    openTimeSat: '08:30:00 ',
    closeTimeSat: '12:30:00 ',
    saturationPercentage: '000',
    XDegree: x.padEnd(14),
    YDegree: y.padEnd(14),
  };
}
