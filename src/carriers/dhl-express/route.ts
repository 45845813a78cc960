import { isDeclarable, type Place } from '../../domain/customs-territory.ts';

export type Route = 'domestic' | 'eu' | 'worldwide';

/** Returns the kind of route that chooses a product, and whether its goods are declared to customs. */
export function routeOf(sender: Place, recipient: Place): { route: Route; isDeclarable: boolean } {
  const declared = isDeclarable(sender, recipient);
  if (sender.countryCode === recipient.countryCode) return { route: 'domestic', isDeclarable: declared };
  return { route: declared ? 'worldwide' : 'eu', isDeclarable: declared };
}
