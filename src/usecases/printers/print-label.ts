import { Operation, OperationItem, Printer, Shipment } from '../../db/entities/index.ts';
import { type Em, systemEm } from '../../db/orm.ts';
import { claimPending, releaseItem, settleItem } from '../../db/queries/operations.ts';
import { markPrinted } from '../../db/queries/printing.ts';
import type { Deps, JobContext } from '../../engine/deps.ts';
import { enqueue } from '../../engine/enqueue.ts';
import { Problem } from '../../lib/errors.ts';
import type { PrintError, PrintResult } from '../../lib/print-raw.ts';
import { PRINTERS_QUEUE, printJobId } from '../../queue/jobs.ts';
import { RetryLater } from '../../queue/retry.ts';
import { planShipmentLabels } from '../documents/print-labels.ts';
import { freePrinter, nextPrint, takePrinter } from './printer-lease.ts';
import { type PrintRequest, shipmentFault } from './request-print.ts';
import { readPaper, sendToPrinter } from './send-to-printer.ts';

/** Tries of a label before it stays unprinted. A person waits for the paper. */
export const MAX_TRIES = 4;

/** The result of a print, as the operation item stores it. */
export interface PrintOutcome {
  outcome: PrintResult['outcome'];
  error: PrintError | null;
  /** The printer's own words. */
  reason: string | null;
}

const UNREACHABLE: readonly PrintError[] = ['unreachable', 'timed-out', 'address-refused'];

/**
 * Prints a label, one at a time per printer. A run that finds the printer busy ends: the run before it passes the printer
 * on. A label is tried again only while no byte of it has left.
 */
export async function printLabel(deps: Deps, input: { itemId: number } & JobContext): Promise<void> {
  const em = systemEm(deps.orm);
  const item = await em.findOne(OperationItem, input.itemId);
  if (item?.status !== 'pending') return;
  const { companyId } = item;
  const { input: asked } = await em.findOneOrFail(Operation, item.operationId);
  const request = asked as unknown as PrintRequest;
  const { printerId } = request;
  const lease = await takePrinter(em, { companyId, printerId, forMs: deps.settings.callLimitMs });
  if (!lease) {
    if (item.fence > 0) throw new RetryLater('The printer is busy');
    return;
  }
  try {
    const claim = await claimPending(em, companyId, item.id);
    if (claim) await printClaimed(deps, { item, fence: claim.fence, request }, input);
  } finally {
    await freePrinter(em, companyId, lease);
    await passOn(deps, em, { companyId, printerId, afterItemId: item.id });
  }
}

async function passOn(
  deps: Deps,
  em: Em,
  { companyId, printerId, afterItemId }: { companyId: number; printerId: number; afterItemId: number },
): Promise<void> {
  const itemId = await nextPrint(em, { companyId, printerId });
  if (itemId === null) return;
  const id = printJobId(itemId, afterItemId);
  await enqueue(deps, PRINTERS_QUEUE, [{ name: 'print', id, companyId, payload: { itemId } }]);
}

interface Claimed {
  item: OperationItem;
  fence: number;
  request: PrintRequest;
}

async function printClaimed(deps: Deps, claimed: Claimed, context: JobContext): Promise<void> {
  const em = systemEm(deps.orm);
  const { item, fence, request } = claimed;
  const { companyId } = item;
  const { shipmentId } = request;
  const held = { itemId: item.id, fence };
  const refused = async (message: string): Promise<void> =>
    void (await settleItem(em, held, { status: 'failed', message, failureKind: 'permanent' }));
  const printer = await em.findOneOrFail(Printer, { id: request.printerId, companyId });
  if (!printer.isEnabled) return refused(`The printer ${printer.key} is switched off`);
  const fault = shipmentFault(await em.findOneOrFail(Shipment, { id: shipmentId, companyId }));
  if (fault) return refused(fault);
  const plan = await planShipmentLabels(deps, { companyId, shipmentId, layout: 'original' }).catch((error: unknown) => {
    if (error instanceof Problem) return error;
    throw error;
  });
  if (plan instanceof Problem) return refused(plan.message);
  const bytes = await readPaper(deps, plan, request.copies).catch(async (error: unknown) => {
    await releaseItem(em, item.id, fence);
    throw error;
  });
  // Half of the lease: a run that lost the printer sends nothing.
  const signal = AbortSignal.any([context.signal, AbortSignal.timeout(deps.settings.callLimitMs / 2)]);
  const result = await sendToPrinter(deps, { printer, bytes, jobName: plan.labels[0]?.name ?? '', signal });
  await noteResult(em, printer, { result, at: deps.now() });
  if (result.outcome === 'printed') {
    // Marked first: paper that exists is never asked for again, also where another run has settled the item.
    await markPrinted(em, { companyId, shipmentIds: [shipmentId], at: deps.now() });
    await settleItem(em, held, { status: 'succeeded', message: '', result: { ...outcomeOf(result) } });
    return;
  }
  const canRepeat = result.outcome === 'not-printed' && result.error !== 'refused';
  if (context.signal.aborted && canRepeat) {
    await releaseItem(em, item.id, fence);
    throw new RetryLater('The worker was stopped before the label was sent');
  }
  if (canRepeat && fence < MAX_TRIES && !context.isLastTry) {
    await releaseItem(em, item.id, fence);
    throw new RetryLater(`The printer was not reached: ${result.error}`);
  }
  await settleItem(em, held, {
    status: 'failed',
    message: result.error,
    failureKind: result.outcome === 'unknown' ? 'unknown-outcome' : 'permanent',
    result: { ...outcomeOf(result) },
  });
}

function outcomeOf(result: PrintResult): PrintOutcome {
  if (result.outcome === 'printed') return { outcome: 'printed', error: null, reason: null };
  return { outcome: result.outcome, error: result.error, reason: result.reason ?? null };
}

async function noteResult(
  em: Em,
  { id, companyId }: Printer,
  { result, at }: { result: PrintResult; at: Date },
): Promise<void> {
  const lastError = result.outcome === 'printed' ? null : result.error;
  if (lastError === 'stopped') return;
  const isReachable = result.outcome !== 'not-printed' || !UNREACHABLE.includes(result.error);
  await em.nativeUpdate(Printer, { id, companyId }, { lastJobAt: at, isReachable, lastError });
}
