import type { Party, ShipmentDraft, ShipmentHandle } from '../../carriers/adapter.ts';
import type { Made } from './made.ts';
import type { MethodInput } from './play-method.ts';

const REFERENCE = 'AAA00000001';

const PARTY: Party = {
  name: 'Mario Rossi',
  company: '',
  address: 'Via Roma 1',
  address2: '',
  city: 'Milano',
  zip: '20121',
  province: 'MI',
  countryCode: 'IT',
  phone: '3330000000',
  email: 'mario.rossi@example.com',
};

const DRAFT: ShipmentDraft = {
  reference: REFERENCE,
  serial: 1,
  orderNumber: '1',
  isReturn: false,
  sender: PARTY,
  recipient: PARTY,
  parcels: [{ weightGrams: 1000, lengthMm: 200, widthMm: 200, heightMm: 200 }],
  cod: null,
  insuredCents: null,
  contents: 'merce',
  lines: [],
  currency: 'EUR',
  pickupPointId: null,
  note: '',
  options: [],
  labelFormat: 'pdf-a6',
};

/** Returns an input for a recording without one, such as a handwritten recording. Null when no input can be invented. */
export function neutralInput(method: string, before: Made | null): MethodInput | null {
  const trackingNumber = before?.trackingNumber ?? '';
  const shipment: ShipmentHandle = { reference: REFERENCE, trackingNumber, carrierReference: '' };
  switch (method) {
    case 'createShipment':
    case 'findByReference':
    case 'withdrawByReference':
      return { draft: DRAFT };
    case 'fetchLabels':
      return { draft: DRAFT, shipment };
    case 'cancelShipment':
    case 'track':
      return { shipment };
    case 'checkAddress':
      return { question: { province: PARTY.province, city: PARTY.city, address: PARTY.address, zip: PARTY.zip } };
    default:
      return null;
  }
}
