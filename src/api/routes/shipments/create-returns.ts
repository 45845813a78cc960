import { requestReturns } from '../../../usecases/shipments/request-returns.ts';
import { bookingRoute } from './booking-route.ts';

export const createReturnsRoute = bookingRoute(
  {
    path: '/shipment/return',
    summary: 'Create return labels',
    description:
      'One element per order that has its label. The return is a shipment of its own, from the customer to the warehouse, with the parcels of the order: GET /orders/{id} lists it with the direction `return`, and its label is at GET /shipment/{id}/label. It travels under carrierCompanyId, else under the contract the order was sent with; of a carrier that is not asked for return labels the order fails with that reason. An order that has its return label is a success with that label.',
  },
  requestReturns,
);
