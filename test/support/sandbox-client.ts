import type { FaultName, LedgerEntry } from '../../sandbox/src/partner.ts';
import type { Sandbox } from '../../sandbox/src/server.ts';

export interface SandboxClient {
  fault(operation: string, fault: FaultName): Promise<void>;
  advance(hours: number): Promise<void>;
  ledger(reference: string): Promise<LedgerEntry | undefined>;
}

/** Returns the control side of one partner of a running sandbox. */
export function sandboxClient(sandbox: Sandbox, partner: string): SandboxClient {
  const post = async (path: string, body: unknown): Promise<void> => {
    const answer = await fetch(`${sandbox.url}/_control/${path}`, { method: 'POST', body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`The sandbox refused ${path}: ${await answer.text()}`);
  };
  return {
    fault: (operation, fault) => post('faults', { partner, operation, fault }),
    advance: (advanceHours) => post('clock', { advanceHours }),
    ledger: async (reference) => {
      const answer = await fetch(`${sandbox.url}/_control/ledger?partner=${partner}`);
      const books = (await answer.json()) as Record<string, LedgerEntry[]>;
      return books[partner]?.find((entry) => entry.reference === reference);
    },
  };
}
