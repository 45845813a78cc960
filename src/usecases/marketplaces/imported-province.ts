import { provinceOf, provinceOfPlace, regionOf } from '../../domain/addresses/gazetteer.ts';
import type { ImportedAddress, ImportedOrder } from '../../marketplaces/adapter.ts';

/**
 * An imported order whose Italian shipping address has the two letters of its province: also where the platform gave its name,
 * the region's, or nothing, as long as city and postal code leave no doubt. `asksProvince`: whether the platform could have given
 * it; only then is its absence a fault of the order.
 */
export function withProvince(order: ImportedOrder, { asksProvince }: { asksProvince: boolean }): ImportedOrder {
  const { shipping, problems } = order;
  if (shipping.countryCode !== 'IT') return order;
  const province = italianProvince(shipping);
  const isMissed = province === '' && asksProvince;
  return {
    ...order,
    shipping: { ...shipping, province },
    problems: isMissed ? [...problems, 'The shipping address has no province'] : problems,
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
