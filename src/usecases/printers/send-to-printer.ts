import type { Printer } from '../../db/entities/index.ts';
import { mergeLabels } from '../../documents/merge-labels.ts';
import type { Deps } from '../../engine/deps.ts';
import { printIpp } from '../../lib/print-ipp.ts';
import { type PrintResult, printRaw } from '../../lib/print-raw.ts';
import {
  locatePrinter,
  PrinterAddressRefused,
  parsePrinterAddress,
  printerAddressFault,
} from '../../lib/printer-address.ts';
import { type LabelPlan, readPlanned } from '../documents/print-labels.ts';

/** ZPL has no registered type that printers agree on; they recognise it by themselves. */
const IPP_TYPES = { zpl: 'application/octet-stream', pdf: 'application/pdf' } as const;

interface Sending {
  printer: Printer;
  bytes: Buffer;
  jobName: string;
  signal: AbortSignal;
}

/** Sends one file to a printer. Tells what became of the paper, and never throws for the printer. */
export async function sendToPrinter(
  deps: Pick<Deps, 'settings' | 'resolve'>,
  { printer, bytes, jobName, signal }: Sending,
): Promise<PrintResult> {
  const rules = deps.settings.printers;
  const address = parsePrinterAddress(printer.address);
  // The settings may have changed since the printer was declared.
  if (typeof address === 'string' || printerAddressFault(printer.address, rules) !== null) {
    return { outcome: 'not-printed', error: 'address-refused' };
  }
  let ip: string;
  try {
    ip = await locatePrinter(address, { ...rules, resolve: deps.resolve });
  } catch (error) {
    if (!(error instanceof PrinterAddressRefused)) throw error;
    return { outcome: 'not-printed', error: 'address-refused', reason: error.message };
  }
  if (address.scheme === 'socket') return printRaw({ ip, port: address.port, bytes, signal });
  return printIpp({ address, ip, bytes, contentType: IPP_TYPES[printer.format], jobName, signal });
}

/** Reads the labels of a plan as one file, with its copies one after the other. */
export async function readPaper(deps: Deps, plan: LabelPlan, copies: number): Promise<Buffer> {
  const repeated = { ...plan, labels: Array.from({ length: copies }, () => plan.labels).flat() };
  const chunks: Buffer[] = [];
  if (plan.contentType === 'application/pdf' && repeated.labels.length > 1) {
    const onUnreadable = (label: string, err: unknown) => deps.log.warn({ err, label }, 'label cannot be read');
    const merged = mergeLabels(readPlanned(deps, repeated), { layout: 'original', startAt: 1, onUnreadable });
    for await (const chunk of merged) chunks.push(chunk);
  } else {
    for await (const { bytes } of readPlanned(deps, repeated)) chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}
