import { Contract } from '../db/entities/index.ts';
import type { Em } from '../db/orm.ts';
import type { Problem } from '../lib/errors.ts';
import { unprocessable } from './find.ts';

/** Reads all contracts of a company, including disabled ones. */
export function readContracts(em: Em): Promise<Contract[]> {
  return em.find(Contract, { deleteFlag: false }, { orderBy: { id: 'asc' } });
}

/** Reads the contracts that take new shipments. */
export async function usableContracts(em: Em): Promise<Contract[]> {
  return usableOf(await readContracts(em));
}

export function usableOf(contracts: readonly Contract[]): Contract[] {
  return contracts.filter((contract) => contract.isConnected);
}

/** Returns the contract with an id, or a message why it takes no new shipments. */
export function pickContract(contracts: readonly Contract[], id: number): Contract | string {
  const contract = contracts.find((one) => one.id === id);
  if (!contract) return `There is no carrier contract ${id}`;
  return contract.isConnected ? contract : switchedOff('Contract', contract);
}

/**
 * Finds a contract for a request about a new shipment. Throws `unknown()` when the company has no contract with that id, and a 422
 * when the contract is disabled.
 * @param pointer the field of the body that names the contract; absent: it is in the query
 */
export async function findUsableContract(
  em: Em,
  id: number,
  { unknown, pointer }: { unknown: () => Problem; pointer?: string },
): Promise<Contract> {
  const contract = await em.findOne(Contract, { id, deleteFlag: false });
  if (!contract) throw unknown();
  if (contract.isConnected) return contract;
  const message = switchedOff('Contract', contract);
  throw unprocessable(message, pointer === undefined ? [] : [{ pointer, message }]);
}

/** Returns the message for a contract or connection that `connected: false` in the apply file disabled. */
export function switchedOff(what: 'Contract' | 'Connection', { id, label }: { id: number; label: string }): string {
  return `${what} ${label} (id ${id}) is switched off`;
}
