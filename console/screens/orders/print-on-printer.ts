import type { Progress } from '../../api/batches.ts';
import { ApiError, api, body } from '../../api/client.ts';
import { type Printer, printOn } from '../../api/printers.ts';
import { t } from '../../i18n/index.ts';
import { notPrintedWords } from '../ship/printer-words.ts';

const HAS_LABEL: readonly string[] = ['created', 'transmitting', 'transmitted', 'awaiting_pickup'];

/** Prints the labels of orders one after the other, so that the paper comes in their order. Tells what became of each. */
export async function printOrders(
  printer: Printer,
  orderIds: readonly number[],
  onProgress: (progress: Progress) => void,
): Promise<void> {
  const progress: Progress = { done: 0, total: orderIds.length, errors: [] };
  for (const orderId of orderIds) {
    progress.errors.push(...(await faultsOf(printer, orderId)).map((message) => ({ orderId, message })).slice(0, 1));
    progress.done += 1;
    onProgress({ ...progress, errors: [...progress.errors] });
  }
}

/** Prints the labels of one order, and returns why one of them is not on paper, or may be twice. */
async function faultsOf(printer: Printer, orderId: number): Promise<string[]> {
  const query = { orderId, direction: 'outbound' as const };
  const shipments = await body(api.GET('/api/v1/external/shipments', { params: { query } }));
  const ids = shipments.filter(({ status }) => HAS_LABEL.includes(status)).map(({ id }) => id);
  if (ids.length === 0) return [t('print.noLabel')];
  const faults: string[] = [];
  for (const shipmentId of ids) {
    const fault = await printOne(printer, shipmentId);
    if (fault !== null) faults.push(fault);
  }
  return faults;
}

async function printOne(printer: Printer, shipmentId: number): Promise<string | null> {
  try {
    const job = await printOn({ shipmentId, printer: printer.key, isCopy: false, key: crypto.randomUUID() });
    if (job.status === 'printed') return null;
    const { name } = printer;
    return job.status === 'unknown' ? t('ship.mayBePrinted', { printer: name }) : notPrintedWords(job, name);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return error.code === 'already-printed' ? t('ship.mayBePrintedBefore') : error.message;
  }
}
