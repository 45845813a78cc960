import { sha256 } from '../../lib/crypto.ts';
import { comparableName, comparableText, provinceOf } from './gazetteer.ts';

/** An Italian address as far as a carrier's address check is asked about it. */
export interface AskedAddress {
  province: string;
  city: string;
  zip: string;
  /** Street and house number. */
  address: string;
}

/** The same for two spellings of one address, and no way back to it. */
export function addressHash({ province, city, zip, address }: AskedAddress): string {
  const code = provinceOf(province)?.code ?? comparableName(province);
  return sha256(JSON.stringify([code, comparableName(city), zip.replace(/\s/g, ''), comparableText(address)]));
}
