import { Printer, Shipment } from '../../db/entities/index.ts';
import { companyEm, type Em } from '../../db/orm.ts';
import { isPrintDoubted } from '../../db/queries/printing.ts';
import type { Deps } from '../../engine/deps.ts';
import { enqueue } from '../../engine/enqueue.ts';
import { conflict, unprocessable } from '../../engine/find.ts';
import { markMade, type Origin, originOf } from '../../engine/idempotency.ts';
import { openOperation } from '../../engine/open-operation.ts';
import { PRINTERS_QUEUE, printJobId } from '../../queue/jobs.ts';
import { planShipmentLabels } from '../documents/print-labels.ts';

/** The request, as its operation keeps it. */
export interface PrintRequest {
  shipmentId: number;
  printerId: number;
  printer: string;
  copies: number;
  /** The person knows that paper of this label may exist. */
  isCopy: boolean;
}

type PrintInput = Origin & Omit<PrintRequest, 'printerId'>;

/**
 * Queues the label of a shipment for a printer. Returns the id of the operation; an equal request that is still open is shared. Throws
 * a 409 for a label that may be on paper already, unless the request says that it is a copy.
 */
export async function requestPrint(deps: Deps, input: PrintInput): Promise<number> {
  const { companyId, requestId, shipmentId, copies, isCopy } = input;
  const em = companyEm(deps.orm, companyId);
  const plan = await planShipmentLabels(deps, { companyId, shipmentId, layout: 'original' });
  const printer = await findPrinter(em, input.printer);
  if (plan.contentType !== `application/${printer.format}`) {
    const has = plan.contentType === 'application/pdf' ? 'a PDF' : 'ZPL';
    const message = `${printer.key} takes ${printer.format.toUpperCase()}, and the label of shipment ${shipmentId} is ${has}`;
    throw unprocessable(message, [{ pointer: '/printer', message }]);
  }
  const request: PrintRequest = { shipmentId, printerId: printer.id, printer: printer.key, copies, isCopy };
  const opened = await em.transactional(async (tx) => {
    const shared = await refuseOrShare(tx, { companyId, request });
    if (shared !== null) {
      await markMade(tx, input.once, shared);
      return { operationId: shared, firstItemId: null };
    }
    return openOperation(tx, { ...originOf(input), kind: 'print', input: { ...request } }, [{ shipmentId }]);
  });
  const { operationId, firstItemId: itemId } = opened;
  if (itemId !== null) {
    const job = { name: 'print', id: printJobId(itemId), companyId, payload: { itemId, requestId } } as const;
    await enqueue(deps, PRINTERS_QUEUE, [job]);
  }
  return operationId;
}

async function findPrinter(em: Em, key: string): Promise<Printer> {
  const printer = await em.findOne(Printer, { key });
  if (printer?.isEnabled) return printer;
  const message = printer ? `The printer ${key} is switched off` : `There is no printer ${key}`;
  throw unprocessable(message, [{ pointer: '/printer', message }]);
}

/** Locks the shipment, so that two requests cannot both find that nothing was printed. Returns the open operation to share. */
async function refuseOrShare(
  tx: Em,
  { companyId, request }: { companyId: number; request: PrintRequest },
): Promise<number | null> {
  const { shipmentId, printerId } = request;
  await tx.execute('select id from shipments where company_id = ? and id = ? for no key update', [
    companyId,
    shipmentId,
  ]);
  const shipment = await tx.findOneOrFail(Shipment, shipmentId, { refresh: true });
  const fault = shipmentFault(shipment);
  if (fault) throw unprocessable(fault);
  const [open] = await tx.execute<{ id: number; printerId: number; printer: string }[]>(
    `select o.id, (o.input ->> 'printerId')::int as "printerId", o.input ->> 'printer' as printer
       from operation_items i join operations o on o.company_id = i.company_id and o.id = i.operation_id
      where i.company_id = ? and i.shipment_id = ? and i.kind = 'print' and i.status in ('pending', 'running')
      order by o.id limit 1`,
    [companyId, shipmentId],
  );
  if (open && open.printerId === printerId) return open.id;
  if (open) {
    const message = `Shipment ${shipmentId} is being printed on ${open.printer}`;
    throw conflict('print-running', message, { retryable: true, headers: { 'Retry-After': '5' } });
  }
  if (request.isCopy) return null;
  if (shipment.printedAt !== null) {
    throw conflict('already-printed', `The label of shipment ${shipmentId} was printed: ask for a copy`);
  }
  if (await isPrintDoubted(tx, { companyId, shipmentId })) {
    const message = `The label of shipment ${shipmentId} may have been printed: look at the printer, then ask for a copy`;
    throw conflict('already-printed', message);
  }
  return null;
}

/** Returns why the label of a shipment must not be printed; null when it may. */
export function shipmentFault({ id, processStatus }: Pick<Shipment, 'id' | 'processStatus'>): string | null {
  const isValid = ['created', 'transmitting', 'transmitted'].includes(processStatus);
  return isValid ? null : `The label of shipment ${id} is not valid: the shipment is ${processStatus}`;
}
