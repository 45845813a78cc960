/** executionMessage of every operation; the sentences are ours, the codes are BRT's. */
export interface Message {
  code: number;
  severity: 'INFO' | 'WARNING' | 'ERROR';
  codeDesc: string;
  message: string;
}

const DESCRIPTIONS: Readonly<Record<number, string>> = {
  0: 'OK',
  4: 'CONSIGNEE DATA NORMALIZED',
  5: 'CONSIGNEE REPLACED BY PUDO',
  [-5]: 'INVALID PARAMETER',
  [-7]: 'LOGIN FAILED',
  [-57]: 'LOGIN PARAMETER MISSING',
  [-63]: 'ROUTING ERROR',
  [-67]: 'USER ACCOUNT MISMATCH',
  [-68]: 'INCONSISTENT DATA',
  [-69]: 'INVALID PUDO',
  [-102]: 'ALREADY CONFIRMED',
  [-151]: 'SHIPMENT NOT FOUND',
  [-152]: 'ALREADY IN CHARGE',
  [-154]: 'SEVERAL SHIPMENTS WITH THE SAME REFERENCES',
};

export function messageOf(code: number, message = ''): Message {
  const severity = code < 0 ? 'ERROR' : code > 0 ? 'WARNING' : 'INFO';
  return { code, severity, codeDesc: DESCRIPTIONS[code] ?? '', message };
}

/** Thrown by whatever finds a fault. */
export class Refusal extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** A body BRT cannot read: malformed JSON or an unknown field. */
export class Unreadable extends Error {}

export function htmlPage(words: string): string {
  return `<!DOCTYPE html>\n<html><head><title>Error</title></head><body><h1>Error</h1><p id="code">-5</p><p id="message">${words.replace(/[<>&]/g, ' ')}</p></body></html>`;
}
