import { requestShipments } from '../../../usecases/shipments/request-shipments.ts';
import { bookingRoute } from './booking-route.ts';

export const createShipmentsRoute = bookingRoute(
  {
    path: '/shipment/create',
    summary: 'Book shipments with their carriers',
    description:
      'One element per order. carrierCompanyId is an addition of ours: it wins over the contract of the order, the default of the company, and the cheapest eligible one. An order that has its label is a success with that label. `shipAnyway` (an addition too) books an order although its import found `problems`, such as digital goods or a payment that is due.',
  },
  requestShipments,
);
