import { z } from 'zod';
import { isCalendarDay } from '../../lib/clock.ts';
import { arrayOf, baseUrl, text } from '../fields.ts';
import { EXPRESS, STANDARD } from './services.ts';

export const Account = z.object({
  clientId: z.string().trim().min(1).meta({ title: 'Client ID' }),
  secretId: z.string().min(1).meta({ title: 'Secret ID', secret: true }),
  /** Given with the contract; that of the test environment is another one. */
  scope: z.string().trim().min(1).meta({ title: 'Scope' }),
  costCenterCode: z.string().trim().min(1).max(20).meta({ title: 'Centro di costo' }),
  /** The word before the access token: Poste's public clients disagree. */
  tokenPrefix: z
    .string()
    .trim()
    .pipe(z.enum(['', 'Bearer']))
    .default('')
    .meta({ title: 'Prefisso del token' }),
  /** The product of orders whose options name none. */
  product: z.enum([STANDARD, EXPRESS]).default(STANDARD).meta({ title: 'Prodotto' }),
  /** Production; the test environment is https://apid.gp.posteitaliane.it/dev/kindergarden */
  baseUrl: baseUrl.default('https://apiw.gp.posteitaliane.it/gp/internet').meta({ title: 'Indirizzo del servizio' }),
});
export type Account = z.infer<typeof Account>;

/** Lists come as `{ item: [...] }`, and an empty one may be missing altogether. */
const items = <Item extends z.ZodType>(item: Item) =>
  z
    .object({ item: z.array(item).nullish() })
    .nullish()
    .transform((list) => list?.item ?? []);
const outcome = z
  .string()
  .trim()
  .pipe(z.enum(['OK', 'KO']));

/** Either an access token or the reason why there is none. */
export const Session = z.union([
  z.object({ access_token: z.string().min(1), expires_in: z.coerce.number().positive() }),
  z.object({ error: z.string().min(1), error_description: text }),
]);

/** An odd field beside its number must not cost a waybill that was sold. */
export const Waybill = z.object({
  code: text.catch(''),
  downloadURL: text.catch(''),
  errorCode: text.catch(''),
  errorDescription: text.catch(''),
});
export type Waybill = z.infer<typeof Waybill>;

export const WaybillAnswer = z.object({
  waybills: arrayOf(Waybill),
  result: z.object({ errorCode: text, errorDescription: text }).nullish(),
});
export type WaybillAnswer = z.infer<typeof WaybillAnswer>;

export const TracedEvent = z.object({
  /** Wall clock of Italy. */
  data: z
    .string()
    .trim()
    .regex(/^\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}/)
    .refine((value) => isCalendarDay(value.slice(0, 10)), 'must begin with a day'),
  officeDescription: text,
  status: text,
  StatusDescription: text,
  phase: text,
});
export type TracedEvent = z.infer<typeof TracedEvent>;

/** The words in whatever Poste wraps them: objects in lists in objects, or plain text. */
function messagesIn(value: unknown): string[] {
  if (typeof value === 'string') return value.trim() === '' ? [] : [value.trim()];
  if (Array.isArray(value)) return value.flatMap(messagesIn);
  if (typeof value !== 'object' || value === null) return [];
  const { messages, message } = value as { messages?: unknown; message?: unknown };
  return [...messagesIn(messages), ...messagesIn(message)];
}

export const TracedShipment = z.object({
  waybillNumber: z.string().trim().min(1),
  tracking: arrayOf(z.unknown()),
});

export const TrackingAnswer = z.object({
  return: z.object({
    outcome,
    code: text,
    messages: z.unknown().optional().transform(messagesIn),
    shipment: arrayOf(z.unknown()),
  }),
});

export const Deposit = z.object({
  shipmentId: z.string().trim().min(1),
  customerShipmentId: text,
  depositStatus: text,
  motivationId: text,
  motivationDescription: text,
  releasable: text,
  startDate: text,
  endDate: text,
  cdc: text,
});
export type Deposit = z.infer<typeof Deposit>;

export const DepositsAnswer = z.object({
  result: outcome,
  errorCode: text,
  errorDescription: text,
  /** Read one by one. */
  deposits: items(z.unknown()),
});

export const ReleaseOutcome = z.object({ barcode: text, result: outcome, errorCode: text, errorDescription: text });
export type ReleaseOutcome = z.infer<typeof ReleaseOutcome>;

export const ReleaseAnswer = z.object({
  description: text,
  result: z.object({ item: z.array(z.unknown()).min(1) }),
});

export const PickupAnswer = z.object({
  bookingId: text,
  result: z.object({
    item: z.array(z.object({ result: outcome, errorCode: text, errorDescription: text })).min(1),
  }),
});

export const DeliveryPoint = z.object({
  officeCode: z.string().trim().min(1),
  officeDescription: text,
  address: text,
  place: text,
  province: text,
  zipCode: text,
  openTimeMon: text,
  closeTimeMon: text,
  openTimeSat: text,
  closeTimeSat: text,
  XDegree: text,
  YDegree: text,
});
export type DeliveryPoint = z.infer<typeof DeliveryPoint>;

export const PointsAnswer = z.object({
  return: z.object({
    outcome,
    code: text,
    deliveryPoint: arrayOf(z.unknown()),
  }),
});
