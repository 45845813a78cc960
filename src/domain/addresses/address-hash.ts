import { sha256 } from '../../lib/crypto.ts';
import { comparableName, comparableText, provinceOf } from './gazetteer.ts';

/** The parts of an Italian address that a carrier's address check gets. */
export interface AskedAddress {
  province: string;
  city: string;
  zip: string;
  /** Street and house number. */
  address: string;
}

/** Returns the same hash for two spellings of one address. It cannot be reversed. */
export function addressHash({ province, city, zip, address }: AskedAddress): string {
  const code = provinceOf(province)?.code ?? comparableName(province);
  return sha256(JSON.stringify([code, comparableName(city), zip.replace(/\s/g, ''), comparableText(address)]));
}
