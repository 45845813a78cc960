import { addressProblem } from '../../domain/addresses/address-problem.ts';
import { provinceOf, provinceOfPlace, regionOf } from '../../domain/addresses/gazetteer.ts';
import type { ImportedAddress, ImportedOrder } from '../../marketplaces/adapter.ts';

/**
 * Sets the two letters of the province in an Italian shipping address. Without them it uses the name, or city and postal code if they
 * leave no doubt. `asksProvince`: the platform has a field for it; only then is a missing province a problem.
 */
export function withProvince(order: ImportedOrder, { asksProvince }: { asksProvince: boolean }): ImportedOrder {
  const { shipping, problems } = order;
  if (shipping.countryCode !== 'IT') return order;
  const province = italianProvince(shipping);
  const isMissed = province === '' && asksProvince;
  return {
    ...order,
    shipping: { ...shipping, province },
    problems: isMissed ? [...problems, addressProblem('province')] : problems,
  };
}

function italianProvince({ province, city, zip }: ImportedAddress): string {
  const written = provinceOf(province);
  if (written) return written.code;
  const region = regionOf(province);
  if (province.trim() !== '' && !region) return province;
  const there = provinceOfPlace({ city, zip });
  return there && (!region || there.region === region) ? there.code : province.trim();
}
