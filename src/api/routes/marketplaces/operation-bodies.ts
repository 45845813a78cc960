import { MARKETPLACE_ERRORS, type MarketplaceErrorType } from '../../../domain/marketplace-error.ts';
import type { OperationView } from '../../../engine/read-operation.ts';
import { listLabels } from '../../../usecases/documents/read-documents.ts';
import type { ImportOutcome } from '../../../usecases/marketplaces/ask-shop.ts';
import { readSentOrder } from '../../../usecases/shipments/read-results.ts';
import type { ApiDeps, OperationBody } from '../../http/route.ts';
import { documentUrl } from '../documents/document-url.ts';

/** The result of the first failed or open part, else of the first one; `parts` has all of them. */
async function sendBody(deps: ApiDeps, { items }: OperationView, companyId: number) {
  const leading = ['failed', 'pending', 'running'].flatMap(
    (status) => items.find((item) => item.status === status) ?? [],
  );
  const body = await itemBody(deps, leading[0] ?? items[0], companyId);
  if (items.length < 2) return body;
  const parts = [];
  for (const item of items) {
    const { Result, TransactionID, TrackingCarrier, TrackingNumber, ErrorMessage, ErrorType } = await itemBody(
      deps,
      item,
      companyId,
    );
    parts.push({
      shipmentId: item.shipmentId,
      Result,
      TransactionID,
      TrackingCarrier,
      TrackingNumber,
      ErrorMessage,
      ErrorType,
    });
  }
  return { ...body, parts };
}

async function itemBody(deps: ApiDeps, item: OperationView['items'][number] | undefined, companyId: number) {
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

function settledBody(item: OperationView['items'][number] | undefined) {
  const { errorType = null } = (item?.result ?? {}) as { errorType?: MarketplaceErrorType | null };
  const isFailed = item?.status === 'failed';
  return {
    status: isFailed ? 'failed' : item?.status === 'succeeded' ? 'succeeded' : 'pending',
    error: isFailed ? item.message : null,
    errorType,
    errorSuggestion: errorType === null ? null : MARKETPLACE_ERRORS[errorType],
  } as const;
}

function verifyBody(_deps: ApiDeps, { items: [item] }: OperationView) {
  return { connectionId: item?.connectionId ?? 0, ...settledBody(item) };
}

function importBody(_deps: ApiDeps, { operation, items: [item] }: OperationView) {
  const { externalId } = operation.input as { externalId: string | null };
  const outcome = (item?.result ?? {}) as Partial<ImportOutcome>;
  const { wasRunning = false, created = 0, updated = 0, unchanged = 0, failed = 0 } = outcome;
  const counts = { wasRunning, created, updated, unchanged, failed };
  return { connectionId: item?.connectionId ?? 0, marketplaceOrderId: externalId, ...settledBody(item), ...counts };
}

export const marketplaceBodies = { send: sendBody, verify: verifyBody, import: importBody } satisfies Record<
  string,
  OperationBody
>;
