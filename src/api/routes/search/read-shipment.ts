import { z } from 'zod';
import { PROCESS_STATUSES } from '../../../domain/shipment-status.ts';
import { readShipment, type ShipmentView } from '../../../usecases/search/read-shipment.ts';
import { BASE_PATH } from '../../http/base-path.ts';
import { iso, isoOrNull } from '../../http/format.ts';
import { type ApiDeps, defineRoute } from '../../http/route.ts';
import { DateTime, Decimal, Id, IdPath, NullableDateTime, NullableText, Text } from '../../http/schemas.ts';
import { AttemptFields, attemptBody } from '../attention/attention-body.ts';
import { documentUrl } from '../documents/document-url.ts';
import { DocumentList } from '../documents/schemas.ts';
import { HeldStay, stayBody } from '../held/held-body.ts';
import { orderBody } from '../orders/order-body.ts';
import { OrderFields } from '../orders/schemas.ts';
import { ListedShipmentFields } from '../shipments/schemas.ts';
import { listedShipmentBody } from '../shipments/shipment-body.ts';

const ShipmentDetail = ListedShipmentFields.extend({
  processStatus: z.enum(PROCESS_STATUSES),
  trackingStatus: NullableText.describe('Null until the carrier has reported one'),
  failure: z.object({ code: Text, message: Text, retryable: z.boolean() }).nullable().describe('The last failure'),
  order: OrderFields,
  part: z
    .object({
      id: Id,
      position: z.number().int(),
      lines: z.array(z.object({ itemId: Id, quantity: z.number().int() })),
    })
    .nullable()
    .describe('The part of a split order; null: the whole order'),
  parcels: z.array(
    z.object({
      position: z.number().int(),
      weight_kg: z.number(),
      length_cm: z.number(),
      width_cm: z.number(),
      height_cm: z.number(),
    }),
  ),
  codAmount: Decimal.nullable().describe('Collected on delivery; null: nothing'),
  trackingUrl: Text.describe("The carrier's page; empty when there is none"),
  lastEvent: z
    .object({ status: Text, description: Text, location: Text, occurredAt: DateTime })
    .nullable()
    .describe('The newest tracking event'),
  labelUrl: NullableText.describe('Needs the API key; null until the carrier delivers the label'),
  documents: DocumentList,
  held: HeldStay.nullable().describe('The current giacenza'),
  expectedDeliveryAt: NullableDateTime,
  cancelledAt: NullableDateTime,
  attempts: z.array(AttemptFields).describe('Every try to change something at the carrier, oldest first'),
}).meta({ id: 'ShipmentDetail' });

export const readShipmentRoute = defineRoute({
  method: 'get',
  scope: 'shipments:read',
  path: '/shipment/{id}',
  tag: 'Shipments',
  summary: 'Read a shipment',
  description:
    'An addition to the contract: the order, parcels, documents, bordero, giacenza and attempts of one shipment. All its tracking events are in GET /shipment/{id}/tracking.',
  params: IdPath,
  responses: { 200: { description: 'The shipment', schema: ShipmentDetail } },
  async handle(deps, { companyId, params }) {
    const view = await readShipment(deps, { companyId, shipmentId: params.id });
    return { status: 200, body: shipmentDetailBody(deps, companyId, view) };
  },
});

function shipmentDetailBody(deps: ApiDeps, companyId: number, view: ShipmentView) {
  const { shipment, order, contract, events, trackingUrl } = view.tracking;
  const carrier = { id: shipment.carrierId, name: view.tracking.carrier.name };
  const [last] = events;
  return {
    ...listedShipmentBody({
      shipment: { ...shipment, contractId: contract.id },
      order,
      carrier,
      manifestId: view.manifestId,
    }),
    processStatus: shipment.processStatus,
    trackingStatus: shipment.trackingStatus,
    failure: shipment.failure,
    order: orderBody({ order }),
    part: view.part && { id: view.part.id, position: view.part.position, lines: view.part.lines },
    parcels: view.parcels.map((parcel) => ({
      position: parcel.position,
      weight_kg: parcel.weightGrams / 1000,
      length_cm: parcel.lengthMm / 10,
      width_cm: parcel.widthMm / 10,
      height_cm: parcel.heightMm / 10,
    })),
    codAmount: shipment.codCents === null ? null : (shipment.codCents / 100).toFixed(2),
    trackingUrl,
    lastEvent: last
      ? {
          status: last.status,
          description: last.description,
          location: last.location,
          occurredAt: iso(last.occurredAt),
        }
      : null,
    labelUrl: view.documents.some(({ kind }) => kind === 'label' || kind === 'return_label')
      ? `${deps.settings.publicUrl}${BASE_PATH}/shipment/${shipment.id}/label`
      : null,
    documents: view.documents.map(({ id, kind, contentType, size, createdAt }) => ({
      id,
      kind,
      contentType,
      size,
      createdAt: iso(createdAt),
      url: documentUrl(deps, { companyId, id }),
    })),
    held: view.stay && stayBody(view.stay),
    expectedDeliveryAt: isoOrNull(shipment.expectedDeliveryAt),
    cancelledAt: isoOrNull(shipment.cancelledAt),
    attempts: view.attempts.map(attemptBody),
  };
}
