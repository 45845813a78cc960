import { Printer, Warehouse } from '../../db/entities/index.ts';
import { printerAddressFault } from '../../lib/printer-address.ts';
import type { DeclaredCompany } from './apply-document.ts';
import type { Applying } from './apply-partners.ts';
import { type Change, upsert } from './upsert-declared.ts';

/** Creates or changes one declared printer. Returns null and adds to `faults` when it cannot. */
export async function applyPrinter(
  { deps, tx, companyId, label, faults, ...at }: Applying,
  printer: DeclaredCompany['printers'][number],
  index: number,
): Promise<Change | null> {
  const path = [...at.path, 'printers', index];
  const message = printerAddressFault(printer.address, deps.settings.printers);
  if (message) faults.push({ path: [...path, 'address'], message });
  const warehouse = printer.warehouse ? await tx.findOne(Warehouse, { companyId, key: printer.warehouse }) : null;
  if (printer.warehouse && !warehouse) {
    faults.push({ path: [...path, 'warehouse'], message: `there is no warehouse ${printer.warehouse}` });
  }
  if (faults.length > 0) return null;
  const fields = {
    name: printer.name,
    address: printer.address,
    format: printer.format,
    stations: printer.stations,
    warehouseId: warehouse?.id ?? null,
    isEnabled: printer.enabled,
  };
  const what = `${label} printer ${printer.key}`;
  const { id, change } = await upsert(tx, Printer, { companyId, key: printer.key }, what, fields);
  // The state of another address says nothing about this one.
  if (change.fields.includes('address')) {
    await tx.nativeUpdate(Printer, { id, companyId }, { isReachable: null, lastError: null, lastJobAt: null });
  }
  return change;
}
