import { defineEntity, p } from '@mikro-orm/core';
import { PRINTER_FORMATS } from '../../domain/printer-format.ts';
import { companyFilter, createdAt, instant } from './columns.ts';
import { Company, Warehouse } from './company.ts';

const PrinterSchema = defineEntity({
  name: 'Printer',
  tableName: 'printers',
  filters: companyFilter,
  uniques: [{ properties: ['companyId', 'key'] }],
  properties: {
    id: p.integer().primary().autoincrement(),
    companyId: p.manyToOne(Company).mapToPk().fieldName('company_id'),
    key: p.text(),
    name: p.text(),
    /** `socket://`, `ipp://` or `ipps://`. */
    address: p.text(),
    /** The labels that it takes. */
    format: p.enum(PRINTER_FORMATS),
    /** Names of the packing stations that print here. */
    stations: p.json().$type<string[]>(),
    warehouseId: p.manyToOne(Warehouse).mapToPk().fieldName('warehouse_id').strictNullable(),
    isEnabled: p.boolean().default(true),
    /** Fencing number of the lease: a printer has one job at a time. */
    fence: p.integer().default(0),
    /** End of the lease of one run. */
    busyUntil: instant().strictNullable(),
    lastJobAt: instant().strictNullable(),
    /** Null: no job yet. */
    isReachable: p.boolean().strictNullable(),
    /** Code of the last failure; null: the last job was printed. */
    lastError: p.text().strictNullable(),
    createdAt: createdAt(),
    updatedAt: createdAt(),
  },
});
/** A printer that the server prints labels on. */
export class Printer extends PrinterSchema.class {}
PrinterSchema.setClass(Printer);
