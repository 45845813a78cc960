import type { Route } from '../http/route.ts';
import { checkAddressRoute } from './addresses/check-address.ts';
import { findPickupPointsRoute } from './addresses/find-pickup-points.ts';
import { listAttentionRoute } from './attention/list-attention.ts';
import { readAttentionRoute } from './attention/read-attention.ts';
import { resolveAttentionRoute } from './attention/resolve-attention.ts';
import { listAuditRoute } from './audit/list-audit.ts';
import { listDocumentsRoute } from './documents/list-documents.ts';
import { printLabelsRoute } from './documents/print-labels.ts';
import { printManifestRoute } from './documents/print-manifest.ts';
import { readDocumentRoute } from './documents/read-document.ts';
import { readLabelRoute } from './documents/read-label.ts';
import { createEventEndpointRoute } from './events/create-event-endpoint.ts';
import { deleteEventEndpointRoute } from './events/delete-event-endpoint.ts';
import { disableEventEndpointRoute } from './events/disable-event-endpoint.ts';
import { enableEventEndpointRoute } from './events/enable-event-endpoint.ts';
import { listEventDeliveriesRoute } from './events/list-event-deliveries.ts';
import { listEventEndpointsRoute } from './events/list-event-endpoints.ts';
import { listEventsRoute } from './events/list-events.ts';
import { replayEventsRoute } from './events/replay-events.ts';
import { rotateEventSecretRoute } from './events/rotate-event-secret.ts';
import { streamEventsRoute } from './events/stream-events.ts';
import { testEventEndpointRoute } from './events/test-event-endpoint.ts';
import { updateEventEndpointRoute } from './events/update-event-endpoint.ts';
import { listExchangesRoute } from './exchanges/list-exchanges.ts';
import { readExchangeRoute } from './exchanges/read-exchange.ts';
import { doneInPortalRoute } from './held/done-in-portal.ts';
import { listHeldRoute } from './held/list-held.ts';
import { releaseHeldRoute } from './held/release-held.ts';
import { importOrdersRoute } from './imports/import-orders.ts';
import { createManifestRoute } from './manifests/create-manifest.ts';
import { deleteManifestRoute } from './manifests/delete-manifest.ts';
import { listManifestsRoute } from './manifests/list-manifests.ts';
import { listOpenRoute } from './manifests/list-open.ts';
import { readManifestRoute } from './manifests/read-manifest.ts';
import { detectShopRoute } from './marketplaces/detect-shop.ts';
import { importNowRoute } from './marketplaces/import-now.ts';
import { listConfirmationsRoute } from './marketplaces/list-confirmations.ts';
import { listConnectionsRoute } from './marketplaces/list-connections.ts';
import { listImportFailuresRoute } from './marketplaces/list-import-failures.ts';
import { listShopsRoute } from './marketplaces/list-shops.ts';
import { sendToMarketplaceRoute } from './marketplaces/send-to-marketplace.ts';
import { verifyConnectionRoute } from './marketplaces/verify-connection.ts';
import { cancelOperationRoute } from './operations/cancel-operation.ts';
import { listOperationsRoute } from './operations/list-operations.ts';
import { readLimitsRoute } from './operations/read-limits.ts';
import { readOperationRoute } from './operations/read-operation.ts';
import { cancelOrderRoute } from './orders/cancel-order.ts';
import { correctOrderRoute } from './orders/correct-order.ts';
import { createOrderRoute } from './orders/create-order.ts';
import { createOrdersRoute } from './orders/create-orders.ts';
import { joinOrdersRoute, undoJoinRoute } from './orders/join-orders.ts';
import { listOrdersRoute } from './orders/list-orders.ts';
import { readOrderRoute } from './orders/read-order.ts';
import { readTimelineRoute } from './orders/read-timeline.ts';
import { reopenOrderRoute } from './orders/reopen-order.ts';
import { splitOrderRoute } from './orders/split-order.ts';
import { readOverviewRoute } from './overview/read-overview.ts';
import { listContractStatesRoute } from './partners/list-contract-states.ts';
import { listContractsRoute } from './partners/list-contracts.ts';
import { listServicesRoute } from './partners/list-services.ts';
import { listWarehousesRoute } from './partners/list-warehouses.ts';
import { verifyContractRoute } from './partners/verify-contract.ts';
import { cancelPickupRoute } from './pickups/cancel-pickup.ts';
import { createPickupRoute } from './pickups/create-pickup.ts';
import { listPickupsRoute } from './pickups/list-pickups.ts';
import { readPickupRoute } from './pickups/read-pickup.ts';
import { listPrintersRoute } from './printers/list-printers.ts';
import { printLabelRoute } from './printers/print-label.ts';
import { compareQuotesRoute } from './quotes/compare-quotes.ts';
import { liveRatesRoute } from './quotes/live-rates.ts';
import { quoteShipmentRoute } from './quotes/quote-shipment.ts';
import { explainChoiceRoute } from './rules/explain-choice.ts';
import { listRulesRoute } from './rules/list-rules.ts';
import { replaceRulesRoute } from './rules/replace-rules.ts';
import { readShipmentRoute } from './search/read-shipment.ts';
import { searchRoute } from './search/search.ts';
import { cancelShipmentRoute } from './shipments/cancel-shipment.ts';
import { createReturnsRoute } from './shipments/create-returns.ts';
import { createShipmentsRoute } from './shipments/create-shipments.ts';
import { listShipmentsRoute } from './shipments/list-shipments.ts';
import { markPrintedRoute } from './shipments/mark-printed.ts';
import { readPackingRoute } from './shipments/read-packing.ts';
import { transmitShipmentsRoute } from './shipments/transmit-shipments.ts';
import { importPriceListRoute } from './tariffs/import-price-list.ts';
import { whatIfRoute } from './tariffs/what-if.ts';
import { pollShipmentRoute } from './tracking/poll-shipment.ts';
import { readTrackingRoute } from './tracking/read-tracking.ts';

/** The seventeen endpoints of the contract, in the order of its document. */
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

/** Additions to the contract. */
export const OWN_ROUTES: readonly Route[] = [
  readOverviewRoute,
  listOrdersRoute,
  readPackingRoute,
  readTimelineRoute,
  correctOrderRoute,
  cancelOrderRoute,
  reopenOrderRoute,
  createOrdersRoute,
  importOrdersRoute,
  listShipmentsRoute,
  searchRoute,
  splitOrderRoute,
  joinOrdersRoute,
  undoJoinRoute,
  explainChoiceRoute,
  listRulesRoute,
  replaceRulesRoute,
  listWarehousesRoute,
  listOpenRoute,
  readOperationRoute,
  listOperationsRoute,
  cancelOperationRoute,
  readLimitsRoute,
  createReturnsRoute,
  readLabelRoute,
  printLabelsRoute,
  markPrintedRoute,
  listPrintersRoute,
  printLabelRoute,
  pollShipmentRoute,
  listDocumentsRoute,
  readDocumentRoute,
  printManifestRoute,
  listExchangesRoute,
  readExchangeRoute,
  listAuditRoute,
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
  listShopsRoute,
  verifyConnectionRoute,
  importNowRoute,
  listImportFailuresRoute,
  listConfirmationsRoute,
  doneInPortalRoute,
  listEventsRoute,
  streamEventsRoute,
  listEventEndpointsRoute,
  createEventEndpointRoute,
  deleteEventEndpointRoute,
  rotateEventSecretRoute,
  enableEventEndpointRoute,
  updateEventEndpointRoute,
  disableEventEndpointRoute,
  testEventEndpointRoute,
  listContractStatesRoute,
  verifyContractRoute,
  importPriceListRoute,
  whatIfRoute,
  replayEventsRoute,
  listEventDeliveriesRoute,
  // Last: its path matches those of `/shipment/quotes` and `/shipment/live-rates` too.
  readShipmentRoute,
];

export const ROUTES: readonly Route[] = [...CONTRACT_ROUTES, ...OWN_ROUTES];
