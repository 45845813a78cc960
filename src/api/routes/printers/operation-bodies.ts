import type { OperationView } from '../../../engine/read-operation.ts';
import type { PrintOutcome } from '../../../usecases/printers/print-label.ts';
import type { PrintRequest } from '../../../usecases/printers/request-print.ts';
import type { ApiDeps, OperationBody } from '../../http/route.ts';

function printBody(_deps: ApiDeps, { operation, items: [item] }: OperationView) {
  const { shipmentId, printer, copies, isCopy } = operation.input as unknown as PrintRequest;
  const isFailed = item?.status === 'failed';
  return {
    shipmentId,
    printer,
    copies,
    isCopy,
    status: statusOf(item),
    error: isFailed ? item.message : null,
    reason: isFailed ? ((item.result as PrintOutcome | null)?.reason ?? null) : null,
  };
}

function statusOf(item: OperationView['items'][number] | undefined) {
  if (item?.status === 'succeeded') return 'printed';
  if (item?.status !== 'failed') return 'pending';
  return item.failureKind === 'unknown-outcome' ? 'unknown' : 'not-printed';
}

export const printerBodies = { print: printBody } satisfies Record<string, OperationBody>;
