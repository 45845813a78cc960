/** The labels that a printer takes. */
export const PRINTER_FORMATS = ['zpl', 'pdf'] as const;
