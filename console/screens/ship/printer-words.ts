import type { PrintJob } from '../../api/printers.ts';
import { t } from '../../i18n/index.ts';

const CODES = {
  unreachable: 'ship.printer.unreachable',
  'timed-out': 'ship.printer.unreachable',
  'address-refused': 'ship.printer.address',
  refused: 'ship.printer.refused',
} as const;

/** Says why a label was not printed. `printer`: its name for people. */
export function notPrintedWords({ error, reason }: PrintJob, printer: string): string {
  const code = error ?? '';
  const known = Object.hasOwn(CODES, code) ? t(CODES[code as keyof typeof CODES], { printer }) : code;
  return [t('ship.notPrinted'), known, reason === null ? '' : `(${reason})`].filter(Boolean).join(' ');
}
