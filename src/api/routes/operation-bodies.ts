import type { ApiDeps } from '../http/route.ts';
import { addressBodies } from './addresses/operation-bodies.ts';
import { eventBodies } from './events/operation-bodies.ts';
import { heldBodies } from './held/operation-bodies.ts';
import { marketplaceBodies } from './marketplaces/operation-bodies.ts';
import { orderBodies } from './orders/operation-bodies.ts';
import { partnerBodies } from './partners/operation-bodies.ts';
import { pickupBodies } from './pickups/operation-bodies.ts';
import { printerBodies } from './printers/operation-bodies.ts';
import { quoteBodies } from './quotes/operation-bodies.ts';
import { shipmentBodies } from './shipments/operation-bodies.ts';
import { trackingBodies } from './tracking/operation-bodies.ts';

/** The body of each kind of operation. Each noun adds its own kinds. */
export const OPERATION_BODIES: ApiDeps['operationBodies'] = {
  ...addressBodies,
  ...eventBodies,
  ...heldBodies,
  ...marketplaceBodies,
  ...orderBodies,
  ...partnerBodies,
  ...pickupBodies,
  ...printerBodies,
  ...quoteBodies,
  ...shipmentBodies,
  ...trackingBodies,
};
