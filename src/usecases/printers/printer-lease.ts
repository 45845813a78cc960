import type { Em } from '../../db/orm.ts';

/** One run's right to use a printer. */
export interface PrinterLease {
  printerId: number;
  fence: number;
}

/** Takes a printer for one run. Returns null while another run has it. */
export async function takePrinter(
  em: Em,
  { companyId, printerId, forMs }: { companyId: number; printerId: number; forMs: number },
): Promise<PrinterLease | null> {
  const rows = await em.execute<{ fence: number }[]>(
    `update printers set fence = fence + 1, busy_until = now() + make_interval(secs => ?)
      where company_id = ? and id = ? and (busy_until is null or busy_until < now()) returning fence`,
    [forMs / 1000, companyId, printerId],
  );
  const [row] = rows;
  return row ? { printerId, fence: row.fence } : null;
}

export async function freePrinter(em: Em, companyId: number, { printerId, fence }: PrinterLease): Promise<void> {
  await em.execute('update printers set busy_until = null where company_id = ? and id = ? and fence = ?', [
    companyId,
    printerId,
    fence,
  ]);
}

/**
 * Returns the oldest item of a printer that no run has begun: its job may have found the printer busy. Items that wait for
 * another try have a job with a backoff.
 */
export async function nextPrint(
  em: Em,
  { companyId, printerId }: { companyId: number; printerId: number },
): Promise<number | null> {
  const [row] = await em.execute<{ id: number }[]>(
    `select i.id from operation_items i join operations o on o.company_id = i.company_id and o.id = i.operation_id
      where i.company_id = ? and i.kind = 'print' and i.status = 'pending'
        and i.attempt = 0 and (o.input ->> 'printerId')::int = ?
      order by i.id limit 1`,
    [companyId, printerId],
  );
  return row?.id ?? null;
}
