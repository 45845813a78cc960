import { z } from 'zod';

/** The part of the services that this simulation checks: closed objects, lengths, and numbers that travel as text. */

const text = (max: number, min = 0) => z.string().min(min).max(max);
const whole = z.string().regex(/^[1-9]\d*$/, 'must be an integer above zero, written as text');
const amount = z.string().regex(/^\d+\.\d{2}$/, 'must be written as 0.00');
const day = z.string().regex(/^\d{8}$/, 'must be YYYYMMDD');
const items = <Item extends z.ZodType>(item: Item) => z.strictObject({ item: z.array(item) });

export const SessionRequest = z.strictObject({
  clientId: text(100, 1),
  secretId: text(100, 1),
  scope: z.string().regex(/\/\.default$/),
  grantType: z.literal('client_credentials'),
});

const Address = z.strictObject({
  nameSurname: text(35, 1),
  contactName: text(35),
  address: text(40, 1),
  streetNumber: text(4),
  zipCode: z.string().regex(/^\d{5}$/, 'must be 5 digits for ITA1'),
  city: text(30, 1),
  province: text(2, 2),
  country: z.literal('ITA1'),
  countryName: text(30),
  email: text(50),
  phone: z.string().regex(/^(\+?\d{1,15})?$/),
  cellphone: z.string().regex(/^(\+?\d{1,15})?$/),
  addressId: z.string(),
  note1: text(20),
  note2: text(20),
});
export type Address = z.infer<typeof Address>;

const none = z.strictObject({});
const point = z.strictObject({ node: text(20, 1), name: z.string() });
const PLAIN_SERVICES = ['905', '906', '907', '908', '910', '911', '913', '914', '915', '917', '945', '946'] as const;
const Services = z.strictObject({
  ...Object.fromEntries(PLAIN_SERVICES.map((number) => [`APT000${number}`, none.optional()])),
  APT000918: z.strictObject({ amount, paymentMode: z.enum(['CON', 'ACM', 'ABM']) }).optional(),
  APT000919: z.strictObject({ amount }).optional(),
  APT000947: point.optional(),
  APT000948: point.optional(),
});

export const WaybillRequest = z.strictObject({
  costCenterCode: text(20, 1),
  paperless: z.enum(['true', 'false']),
  shipmentDate: z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+0000$/),
  partnerId: text(20).optional(),
  waybills: z
    .array(
      z.strictObject({
        clientReferenceId: text(25, 1),
        printFormat: z.enum(['A4', '1011', 'ZPL']),
        product: z.enum(['APT000901', 'APT000902']),
        data: z.strictObject({
          declared: z.array(z.strictObject({ weight: whole, height: whole, length: whole, width: whole })).min(1),
          content: text(30),
          services: Services,
          sender: Address,
          receiver: Address,
        }),
      }),
    )
    .length(1),
});
export type WaybillOrder = z.infer<typeof WaybillRequest>['waybills'][number];

export const TrackingRequest = z.strictObject({
  arg0: z.strictObject({
    shipmentsData: z
      .array(z.strictObject({ waybillNumber: text(18, 7), lastTracingState: z.enum(['Y', 'S', 'N']) }))
      .min(1),
    statusDescription: z.literal('E'),
    customerType: z.literal('DQ'),
  }),
});

export const DepositsRequest = z.strictObject({
  dateFrom: day,
  dateTo: day,
  depositDateFrom: day.optional(),
  depositDateTo: day.optional(),
  status: z.enum(['', 'RIFDEST', 'DESTNOTIND', 'INDERR', 'DESTASS']),
  depositReason: z.enum(['', 'INGIACENZA', 'SVINCOLATA', 'SCADUTA', 'RICHIESTO', 'SVINCOLOPR']),
  cdc: text(20).optional(),
});

const Place = z.strictObject({
  givenName: text(40),
  surname: text(40),
  streetName: text(60),
  streetNumber: text(10),
  town: text(40),
  region: text(3),
  postCode: text(10),
  country: text(3),
  phone: text(30),
  email: text(241),
});

export const ReleaseRequest = z.strictObject({
  releaseAct: z.strictObject({ shipmentId: text(50, 1), releaseAction: z.string().regex(/^AZ000[1-8]$/) }),
  shipmentId: items(z.strictObject({ barcode: text(50, 1) })),
  address: items(Place),
  officeId: z.string(),
});
export type ReleaseOrder = z.infer<typeof ReleaseRequest>;

export const PickupRequest = z.strictObject({
  pickup: items(
    z.strictObject({
      operation: z.string(),
      bookingType: z.string(),
      where: items(Place),
      content: items(
        z.strictObject({
          containerType: z.string(),
          quantity: z.number(),
          weight: z.number(),
          height: z.number(),
          width: z.number(),
          length: z.number(),
        }),
      ),
      pickupDate: day,
      timeSlot: z.enum(['AM', 'PM', 'AMPM']),
      note1: text(255),
      note2: text(255),
    }),
  ),
});
export type PickupOrder = z.infer<typeof PickupRequest>['pickup']['item'][number];
