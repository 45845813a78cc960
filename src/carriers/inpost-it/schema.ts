import { z } from 'zod';
import { baseUrl, text } from '../fields.ts';

/** How parcels are handed over, as ShipX names it. */
export const SENDING_METHODS = ['parcel_locker', 'pok', 'pop', 'courier_pok', 'branch', 'dispatch_order'] as const;

export const Account = z.object({
  organizationId: z
    .string()
    .trim()
    .regex(/^\d{1,18}$/, 'the number of the organisation, digits only')
    .meta({ title: 'ID organizzazione' }),
  /** Long-lived; made by InPost, or on its portal. */
  token: z.string().trim().min(1).meta({ title: 'Token API', secret: true }),
  /** `parcel_locker`: you put parcels into a locker; `dispatch_order`: InPost fetches them from the sender's address. */
  sendingMethod: z.enum(SENDING_METHODS).default('parcel_locker').meta({ title: 'Modalità di affidamento' }),
  /** The size of unmeasured parcels. */
  defaultSize: z.enum(['S', 'M', 'L']).optional().meta({ title: 'Formato predefinito' }),
  /** Production; the test environment is https://stage-api-shipx-it.easypack24.net */
  baseUrl: baseUrl.default('https://api-shipx-it.easypack24.net').meta({ title: 'Indirizzo del servizio' }),
  /** Lockers and shops are on a host of their own, which asks for no token. */
  pointsBaseUrl: baseUrl
    .default('https://api-it-local-points.easypack24.net')
    .meta({ title: 'Indirizzo dei punti di ritiro' }),
});
export type Account = z.infer<typeof Account>;

/** `error` is for programs; `message` (`description` in some places) may change at any time. */
export const Refusal = z.object({ error: text, message: text, description: text, details: z.unknown().optional() });
export type Refusal = z.infer<typeof Refusal>;

export const Shipment = z.object({
  id: z.number().int().positive(),
  status: z.string().min(1),
  /** Null until InPost has confirmed the shipment. */
  tracking_number: z
    .string()
    .nullable()
    .transform((number) => number?.trim() || null),
  /** Required: a shipment without its reference can be neither ours nor another's for certain. */
  reference: z.string().nullable(),
  /** Only counted: an odd list of parcels must not cost the shipment. */
  parcels: z.array(z.unknown()).nullish().catch(null),
});
export type Shipment = z.infer<typeof Shipment>;

export const ShownShipment = z.object({ status: z.string().min(1) });

/** Elements are read one by one. */
export const ShipmentList = z.object({ count: z.number().int().nonnegative(), items: z.array(z.unknown()) });

export const DispatchOrder = z.object({ id: z.union([z.number().int(), z.string().min(1)]), status: text });

export const TracedEvent = z.object({
  status: z.string().trim().min(1),
  datetime: z.iso.datetime({ offset: true }),
  location: text,
  agency: text,
});

export const Tracking = z.object({ tracking_number: z.string(), tracking_details: z.array(z.unknown()) });

export const Point = z.object({
  name: z.string().trim().min(1),
  type: z.array(z.string()),
  status: text,
  location: z.object({ latitude: z.number(), longitude: z.number() }).nullish(),
  location_description: text,
  distance: z.number().nullish(),
  opening_hours: text,
  address: z.object({ line1: text }).nullish(),
  address_details: z
    .object({ city: text, province: text, post_code: text, street: text, building_number: text })
    .nullish(),
  payment_available: z.boolean().nullish(),
});
export type Point = z.infer<typeof Point>;

export const PointList = z.object({ items: z.array(z.unknown()) });
