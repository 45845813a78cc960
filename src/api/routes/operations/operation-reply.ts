import { MARKETPLACE_ERRORS, type MarketplaceErrorType } from '../../../domain/marketplace-error.ts';
import { type OperationView, readOperation } from '../../../engine/read-operation.ts';
import { centsToString } from '../../../lib/decimal.ts';
import { Problem } from '../../../lib/errors.ts';
import { listLabels } from '../../../usecases/documents/read-documents.ts';
import { readPickup } from '../../../usecases/pickups/read-pickups.ts';
import type { LiveRate } from '../../../usecases/quotes/request-live-rates.ts';
import {
  readBookedShipments,
  readPolledShipment,
  readSentOrder,
  readShipmentReference,
} from '../../../usecases/shipments/read-results.ts';
import { BASE_PATH } from '../../http/base-path.ts';
import type { ApiDeps, Reply, RouteRequest } from '../../http/route.ts';
import { ProblemBody } from '../../http/schemas.ts';
import { batchBody, isoOrNull, shipmentStatus } from '../../render.ts';
import { documentUrl } from '../documents/document-url.ts';
import { pickupBody } from '../pickups/pickup-body.ts';

type Asker = Pick<RouteRequest<unknown, unknown, unknown>, 'companyId' | 'waitMs'>;

/** Waits as long as the client lets us, then answers what is known: 200 when all is settled, else 202 with a place to look. */
export async function replyWhenSettled(deps: ApiDeps, asker: Asker, operationId: number): Promise<Reply> {
  await deps.waitForOperation(operationId, asker.waitMs);
  return operationReply(deps, asker, operationId);
}

/** The answer of an operation as it stands now. */
export async function operationReply(deps: ApiDeps, asker: Asker, operationId: number): Promise<Reply> {
  const view = await readOperation(deps, { companyId: asker.companyId, operationId });
  const body = await bodyOf(deps, view, asker.companyId);
  if (view.open === 0) return { status: 200, body };
  const location = `${BASE_PATH}/operations/${operationId}`;
  return { status: 202, body, headers: { Location: location, 'Retry-After': '2' } };
}

async function bodyOf(deps: ApiDeps, view: OperationView, companyId: number): Promise<unknown> {
  switch (view.operation.kind) {
    case 'create':
      return bookedBody(deps, view, companyId);
    case 'transmit':
      return batchBody(view);
    case 'cancel':
      return cancelBody(view);
    case 'release':
      return releaseBody(deps, view, companyId);
    case 'send':
      return sendBody(deps, view, companyId);
    case 'check-address':
      return answerTo(view) ?? { status: 'pending', message: 'The carrier has not answered yet', addresses: [] };
    case 'pickup-points':
      return answerTo(view)?.points ?? [];
    case 'live-rates':
      return liveRatesBody(answerTo(view));
    case 'poll':
      return pollBody(deps, view, companyId);
    case 'book-pickup':
    case 'cancel-pickup':
      answerTo(view);
      return pickupBody(await readPickup(deps, { companyId, pickupId: view.items[0]?.pickupId ?? 0 }));
  }
}

/** A batch result with the shipment of each order that has one. The label's URL needs the API key and does not expire. */
async function bookedBody(deps: ApiDeps, view: OperationView, companyId: number) {
  const body = batchBody(view);
  const booked = view.items.filter((item) => item.status === 'succeeded');
  const shipmentIds = booked.flatMap(({ shipmentId }) => shipmentId ?? []);
  const known = await readBookedShipments(deps, { companyId, shipmentIds });
  const shipments = booked.flatMap(({ orderId, shipmentId }) => {
    const shipment = known.get(shipmentId ?? 0);
    if (orderId === null || !shipment) return [];
    const { trackingNumber, hasLabel } = shipment;
    const labelUrl = hasLabel ? `${deps.settings.publicUrl}${BASE_PATH}/shipment/${shipment.shipmentId}/label` : null;
    return [{ orderId, shipmentId: shipment.shipmentId, trackingNumber, labelUrl }];
  });
  return { ...body, details: { ...body.details, shipments } };
}

function liveRatesBody(answer: Record<string, unknown> | null) {
  const rates = (answer?.rates ?? []) as LiveRate[];
  return rates
    .toSorted((a, b) => a.amountCents - b.amountCents)
    .map(({ serviceCode, serviceName, amountCents, currency, deliveryDate }) => ({
      service_code: serviceCode,
      service_name: serviceName,
      price: centsToString(amountCents),
      currency,
      delivery_date: deliveryDate,
      as_of: answer?.askedAt ?? null,
    }));
}

/** The answers of `carrierProblem`, for the responses of the routes that give them. */
export const CARRIER_PROBLEMS = {
  424: { description: 'The carrier refused', schema: ProblemBody },
  502: { description: 'The carrier is not working', schema: ProblemBody },
  504: { description: "The carrier's answer was lost: the outcome is unknown", schema: ProblemBody },
} as const;

/** A carrier failure where the contract has no body for it. */
function carrierProblem(message: string, kind: OperationView['items'][number]['failureKind']): Problem {
  const base = { source: 'carrier' as const };
  if (kind === 'retryable') {
    return new Problem(message, {
      ...base,
      status: 502,
      code: 'partner-broken',
      title: 'The carrier is not working',
      retryable: true,
    });
  }
  if (kind === 'unknown-outcome') {
    return new Problem(message, { ...base, status: 504, code: 'outcome-unknown', title: 'The carrier did not answer' });
  }
  return new Problem(message, { ...base, status: 424, code: 'carrier-refused', title: 'The carrier refused' });
}

/** Nobody refused: somebody else was at work on the shipment. */
function inProgress(message: string): Problem {
  return new Problem(message, { status: 409, code: 'shipment-in-progress', title: 'Conflict', retryable: true });
}

function cancelBody({ items }: OperationView): boolean {
  const item = items[0];
  if (item?.status === 'failed' && item.failureKind === null) throw inProgress(item.message);
  if (item?.status === 'failed') throw carrierProblem(item.message, item.failureKind);
  return item?.status === 'succeeded';
}

/** What the carrier answered to a question; null while it has not. */
function answerTo({ items }: OperationView): Record<string, unknown> | null {
  const item = items[0];
  if (item?.status === 'failed') throw carrierProblem(item.message, item.failureKind);
  return item?.result ?? null;
}

async function pollBody(deps: ApiDeps, view: OperationView, companyId: number) {
  const answer = answerTo(view);
  const shipment = await readPolledShipment(deps, { companyId, shipmentId: view.items[0]?.shipmentId ?? 0 });
  return {
    shipmentId: shipment.id,
    trackingNumber: shipment.trackingNumber ?? '',
    status: shipmentStatus(shipment),
    newEvents: answer?.newEvents ?? null,
    lastEventAt: isoOrNull(shipment.lastEventAt),
    polledAt: isoOrNull(shipment.polledAt),
  };
}

async function releaseBody(deps: ApiDeps, { items, open }: OperationView, companyId: number) {
  const succeeded = items.filter((item) => item.status === 'succeeded').length;
  const failed = items.filter((item) => item.status === 'failed').length;
  return {
    success: open === 0 && failed === 0,
    message:
      open > 0
        ? 'The carrier has not answered yet'
        : failed > 0
          ? 'The carrier did not release the shipment'
          : 'Released',
    summary: { requested: items.length, succeeded, failed },
    blockingError: null,
    items: await Promise.all(
      items.map(async (item) => ({
        shipmentId: item.shipmentId ?? 0,
        carrierShipmentReference: await readShipmentReference(deps, { companyId, shipmentId: item.shipmentId ?? 0 }),
        success: item.status === 'succeeded',
        message: item.message,
        raw: item.result ?? {},
      })),
    ),
  };
}

/** The release-held result of a request that was not passed on. */
export function blockedRelease(blockingError: string) {
  return {
    success: false,
    message: blockingError,
    summary: { requested: 1, succeeded: 0, failed: 1 },
    blockingError,
    items: [],
  };
}

async function sendBody(deps: ApiDeps, { items }: OperationView, companyId: number) {
  const item = items[0];
  const sent = await readSentOrder(deps, {
    companyId,
    orderId: item?.orderId ?? 0,
    shipmentId: item?.shipmentId ?? null,
  });
  const { shipmentId } = sent;
  const labels = shipmentId === null ? [] : await listLabels(deps, { companyId, shipmentId });
  const outcome = (item?.result ?? {}) as {
    confirmed?: {
      transactionId: string;
      trackingCarrier: string;
      trackingNumber: string;
      trackingUrl: string;
      status: string;
    } | null;
    errorType?: MarketplaceErrorType | null;
  };
  const { confirmed } = outcome;
  const isFailed = item?.status === 'failed';
  const errorType = isFailed ? (outcome.errorType ?? 'unknown') : null;
  return {
    Result: isFailed ? 'KO' : item?.status === 'succeeded' ? 'OK' : 'PENDING',
    OrderID: sent.externalOrderId,
    TransactionID: confirmed?.transactionId ?? '',
    CarrierID: sent.carrierCode,
    TrackingCarrier: confirmed?.trackingCarrier ?? sent.carrierName,
    TrackingNumber: confirmed?.trackingNumber ?? sent.trackingNumber,
    TrackingExternalLink: confirmed?.trackingUrl ?? '',
    LabelURL: labels.map((id) => documentUrl(deps, { companyId, id })),
    MarketplacePlatform: sent.marketplace,
    Status: confirmed?.status ?? '',
    ErrorMessage: isFailed ? item.message : null,
    ErrorType: errorType,
    ErrorSuggestion: errorType === null ? null : MARKETPLACE_ERRORS[errorType],
    error: isFailed ? item.message : null,
  };
}
