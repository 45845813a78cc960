import { requestShipments } from '../../../usecases/shipments/request-shipments.ts';
import { bookingRoute } from './booking-route.ts';

export const createShipmentsRoute = bookingRoute(
  {
    path: '/shipment/create',
    summary: 'Create shipments',
    description:
      'Books one shipment per element with its carrier. carrierCompanyId is an addition to the contract: it takes precedence over the contract of the order, the default of the company, and the cheapest eligible one. An order that already has a label succeeds with that label. `shipAnyway` (also an addition) books an order although its import found `problems`, such as digital goods or an open payment.',
  },
  requestShipments,
);
