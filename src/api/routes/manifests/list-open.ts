import { z } from 'zod';
import { centsToString } from '../../../lib/decimal.ts';
import { type OpenGroup, readOpenShipments } from '../../../usecases/manifests/read-open-shipments.ts';
import { kilograms } from '../../http/format.ts';
import { defineRoute } from '../../http/route.ts';
import { shipmentStatus } from '../shipments/shipment-status.ts';
import { OpenShipments } from './schemas.ts';

export const listOpenRoute = defineRoute({
  method: 'get',
  scope: 'manifests:read',
  isQueryStrict: true,
  path: '/bordero/open',
  tag: 'Manifests',
  summary: 'List what waits for its driver',
  description:
    'An addition to the contract, by carrier contract and warehouse. `open` is what `allTransmitted` of POST /bordero takes. `untransmitted` are shipments that must be transmitted first; at most 5000 are listed, oldest first.',
  responses: { 200: { description: 'One element per contract and warehouse', schema: z.array(OpenShipments) } },
  async handle(deps, { companyId }) {
    return { status: 200, body: (await readOpenShipments(deps, companyId)).map(openBody) };
  },
});

function openBody({ contract, carrier, warehouse, takesPickups, open, listed, untransmitted }: OpenGroup) {
  return {
    carrier: { id: carrier.id, name: carrier.name },
    carrierCompanyId: contract.id,
    contractLabel: contract.label,
    warehouse: warehouse && { id: warehouse.id, name: warehouse.name },
    takesPickups,
    open: totalsBody(open),
    onBordero: totalsBody(listed),
    untransmitted: untransmitted.map((shipment) => ({
      shipmentId: shipment.id,
      orderId: shipment.orderId,
      orderNumber: shipment.orderNumber,
      trackingNumber: shipment.trackingNumber ?? '',
      isCreated: shipment.processStatus === 'created',
      status: shipmentStatus(shipment),
      error: shipment.message,
    })),
  };
}

function totalsBody({ shipments, parcels, weightGrams, codCents }: OpenGroup['open']) {
  return { shipments, parcels, weight: kilograms(weightGrams), codAmount: centsToString(codCents) };
}
