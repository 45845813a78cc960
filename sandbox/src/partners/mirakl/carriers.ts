/** Registered by the pretend operator. The place of the number in their links is `{trackingId}`. */
export const CARRIERS = [
  { code: 'GLS-IT', label: 'GLS Italy', standard_code: 'gls', tracking_url: 'https://gls.example/t/{trackingId}' },
  { code: 'UPS', label: 'UPS', standard_code: 'UPS', tracking_url: 'https://ups.example/t/{trackingId}' },
  { code: 'DHL', label: 'DHL', standard_code: 'DHL', tracking_url: 'https://dhl.example/t/{trackingId}' },
];

export interface Tracking {
  carrier_code: string | null;
  carrier_name: string;
  carrier_standard_code: string | null;
  tracking_number: string | null;
  tracking_url: string | null;
}

type Fields = Record<string, unknown>;

/** Reads a tracking: a registered carrier by its code, whose link is made from the number, any other by its name. */
export function trackingOf(given: Fields, url: unknown): Tracking | { complaint: string } {
  const { carrier_code, carrier_name, tracking_number } = given;
  const number = typeof tracking_number === 'string' && tracking_number !== '' ? tracking_number : null;
  if (typeof carrier_code === 'string') {
    const carrier = CARRIERS.find(({ code }) => code === carrier_code);
    if (!carrier) return { complaint: `Unknown carrier code '${carrier_code}'` };
    if (number === null) return { complaint: 'The tracking number is mandatory' };
    return {
      carrier_code,
      carrier_name: carrier.label,
      carrier_standard_code: carrier.standard_code,
      tracking_number: number,
      tracking_url: carrier.tracking_url.replace('{trackingId}', encodeURIComponent(number)),
    };
  }
  if (typeof carrier_name !== 'string' || carrier_name === '') return { complaint: 'The carrier name is mandatory' };
  const tracking_url = typeof url === 'string' ? url : null;
  return { carrier_code: null, carrier_name, carrier_standard_code: null, tracking_number: number, tracking_url };
}
