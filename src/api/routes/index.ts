import type { Route } from '../route.ts';
import { cancelPickupRoute } from './cancel-pickup.ts';
import { cancelShipmentRoute } from './cancel-shipment.ts';
import { checkAddressRoute } from './check-address.ts';
import { compareQuotesRoute } from './compare-quotes.ts';
import { createEventEndpointRoute } from './create-event-endpoint.ts';
import { createManifestRoute } from './create-manifest.ts';
import { createOrderRoute } from './create-order.ts';
import { createPickupRoute } from './create-pickup.ts';
import { createReturnsRoute } from './create-returns.ts';
import { createShipmentsRoute } from './create-shipments.ts';
import { deleteEventEndpointRoute } from './delete-event-endpoint.ts';
import { deleteManifestRoute } from './delete-manifest.ts';
import { detectShopRoute } from './detect-shop.ts';
import { doneInPortalRoute } from './done-in-portal.ts';
import { enableEventEndpointRoute } from './enable-event-endpoint.ts';
import { findPickupPointsRoute } from './find-pickup-points.ts';
import { listAttentionRoute } from './list-attention.ts';
import { listConnectionsRoute } from './list-connections.ts';
import { listContractsRoute } from './list-contracts.ts';
import { listDocumentsRoute } from './list-documents.ts';
import { listEventDeliveriesRoute } from './list-event-deliveries.ts';
import { listEventEndpointsRoute } from './list-event-endpoints.ts';
import { listEventsRoute } from './list-events.ts';
import { listExchangesRoute } from './list-exchanges.ts';
import { listHeldRoute } from './list-held.ts';
import { listManifestsRoute } from './list-manifests.ts';
import { listOrdersRoute } from './list-orders.ts';
import { listPickupsRoute } from './list-pickups.ts';
import { listServicesRoute } from './list-services.ts';
import { listWarehousesRoute } from './list-warehouses.ts';
import { liveRatesRoute } from './live-rates.ts';
import { markPrintedRoute } from './mark-printed.ts';
import { pollShipmentRoute } from './poll-shipment.ts';
import { printLabelsRoute } from './print-labels.ts';
import { printManifestRoute } from './print-manifest.ts';
import { quoteShipmentRoute } from './quote-shipment.ts';
import { readAttentionRoute } from './read-attention.ts';
import { readDocumentRoute } from './read-document.ts';
import { readExchangeRoute } from './read-exchange.ts';
import { readLabelRoute } from './read-label.ts';
import { readManifestRoute } from './read-manifest.ts';
import { readOperationRoute } from './read-operation.ts';
import { readOrderRoute } from './read-order.ts';
import { readPickupRoute } from './read-pickup.ts';
import { readTrackingRoute } from './read-tracking.ts';
import { releaseHeldRoute } from './release-held.ts';
import { replayEventsRoute } from './replay-events.ts';
import { resolveAttentionRoute } from './resolve-attention.ts';
import { rotateEventSecretRoute } from './rotate-event-secret.ts';
import { sendToMarketplaceRoute } from './send-to-marketplace.ts';
import { transmitShipmentsRoute } from './transmit-shipments.ts';

/** The seventeen endpoints of the contract, in its order. */
export const CONTRACT_ROUTES: readonly Route[] = [
  createOrderRoute,
  readOrderRoute,
  sendToMarketplaceRoute,
  quoteShipmentRoute,
  checkAddressRoute,
  createShipmentsRoute,
  transmitShipmentsRoute,
  readTrackingRoute,
  releaseHeldRoute,
  cancelShipmentRoute,
  createManifestRoute,
  listManifestsRoute,
  readManifestRoute,
  deleteManifestRoute,
  listContractsRoute,
  listServicesRoute,
  listConnectionsRoute,
];

/** And what we add to them. */
export const OWN_ROUTES: readonly Route[] = [
  listOrdersRoute,
  listWarehousesRoute,
  readOperationRoute,
  createReturnsRoute,
  readLabelRoute,
  printLabelsRoute,
  markPrintedRoute,
  pollShipmentRoute,
  listDocumentsRoute,
  readDocumentRoute,
  printManifestRoute,
  listExchangesRoute,
  readExchangeRoute,
  compareQuotesRoute,
  liveRatesRoute,
  findPickupPointsRoute,
  createPickupRoute,
  listPickupsRoute,
  readPickupRoute,
  cancelPickupRoute,
  listAttentionRoute,
  readAttentionRoute,
  resolveAttentionRoute,
  listHeldRoute,
  detectShopRoute,
  doneInPortalRoute,
  listEventsRoute,
  listEventEndpointsRoute,
  createEventEndpointRoute,
  deleteEventEndpointRoute,
  rotateEventSecretRoute,
  enableEventEndpointRoute,
  replayEventsRoute,
  listEventDeliveriesRoute,
];

export const ROUTES: readonly Route[] = [...CONTRACT_ROUTES, ...OWN_ROUTES];
