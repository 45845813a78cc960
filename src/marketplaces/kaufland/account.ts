import { z } from 'zod';

/** Values of `Storefront` in Kaufland's description (2.27.0). */
const STOREFRONTS = ['de', 'cz', 'sk', 'pl', 'at', 'fr', 'it'] as const;

export const Account = z.object({
  /** From the API settings of the seller portal. */
  clientKey: z.string().min(1),
  secretKey: z.string().min(1).meta({ secret: true }),
  /** Only the orders of this country's shop. */
  storefront: z.enum(STOREFRONTS).optional(),
  /** Our carrier id to a carrier code of Kaufland, letter by letter. */
  carrierNames: z.record(z.string(), z.string().min(1)).optional(),
  baseUrl: z.url({ protocol: /^https?$/ }).default('https://sellerapi.kaufland.com/v2'),
});
export type Account = z.infer<typeof Account>;
