interface Point {
  name: string;
  type: string[];
  status: string;
  city: string;
  province: string;
  zip: string;
  street: string;
  number: number;
  description: string;
  takesPayment: boolean;
}

const LOCKER = ['parcel_locker'];
const SHOP = ['pok', 'pop'];

/** Where this pretend carrier has lockers and shops; the last one is closed. */
const POINTS: readonly Point[] = (
  [
    ['ITMIL00101M', LOCKER, 'Milano', 'MI', '20121', 'Via Senato', 18, 'Accanto al supermercato', true],
    ['ITMIL00102P', SHOP, 'Milano', 'MI', '20123', 'Via Torino', 40, 'Presso Edicola Torino', true],
    ['ITMIL00103M', LOCKER, 'Milano', 'MI', '20154', 'Via Canonica', 7, 'Distributore', false],
    ['ITRMA00201M', LOCKER, 'Roma', 'RM', '00185', 'Via Marsala', 29, 'Stazione Termini', true],
    ['ITRMA00202P', SHOP, 'Roma', 'RM', '00184', 'Via Cavour', 101, 'Presso Cartoleria Cavour', false],
    ['ITTRN00301M', LOCKER, 'Torino', 'TO', '10121', 'Corso Matteotti', 3, 'Parcheggio', false],
    ['ITBLQ00401M', LOCKER, 'Bologna', 'BO', '40121', 'Via Galliera', 64, 'Ingresso laterale', true],
    ['ITNAP00501M', LOCKER, 'Napoli', 'NA', '80134', 'Via Toledo', 210, 'Galleria', true],
    ['ITPMO00601P', SHOP, 'Palermo', 'PA', '90133', 'Via Roma', 88, 'Presso Tabacchi Roma', true],
    ['ITMIL00199M', LOCKER, 'Milano', 'MI', '20122', 'Via Larga', 5, 'In manutenzione', true],
  ] as const
).map(([name, type, city, province, zip, street, number, description, takesPayment]) => ({
  name,
  type: [...type],
  status: name === 'ITMIL00199M' ? 'NonOperating' : 'Operating',
  city,
  province,
  zip,
  street,
  number,
  description,
  takesPayment,
}));

export function isPoint(name: string): boolean {
  return POINTS.some((point) => point.name === name && point.status === 'Operating');
}

/** Lists points by name, by city, or by their distance from a postcode; all of them without a question. */
export function pointsAnswer(query: URLSearchParams): object {
  const relative = query.get('relative_post_code');
  const city = query.get('city')?.toLowerCase();
  const name = query.get('name');
  const limit = Number(query.get('limit') ?? POINTS.length);
  const perPage = Number(query.get('per_page') ?? 25);
  const found = POINTS.filter(
    (point) =>
      (name === null || point.name === name) &&
      (city === undefined || point.city.toLowerCase() === city) &&
      (relative === null || point.zip.slice(0, 2) === relative.slice(0, 2)),
  )
    .map((point) => ({
      point,
      distance: relative === null ? null : Math.abs(Number(point.zip) - Number(relative)) * 100,
    }))
    .slice(0, limit);
  return {
    count: found.length,
    page: 1,
    per_page: perPage,
    total_pages: Math.max(1, Math.ceil(found.length / perPage)),
    items: found.slice(0, perPage).map(({ point, distance }) => shown(point, distance)),
  };
}

/** Shows a point as InPost does, with postcodes and house numbers as numbers. */
function shown(point: Point, distance: number | null): object {
  const { name, type, status, city, province, zip, street, number, description, takesPayment } = point;
  return {
    name,
    type,
    status,
    location: { longitude: 9.19, latitude: 45.46 },
    location_description: description,
    distance,
    opening_hours: type.includes('pop') ? 'Lun-Sab 09:00-19:00' : '24/7',
    address: { line1: `${street} ${number}`, line2: `${zip} ${city}` },
    address_details: { city, province, post_code: Number(zip), street, building_number: number, flat_number: null },
    functions: ['parcel', 'parcel_collect', 'parcel_send'],
    payment_available: takesPayment,
  };
}
