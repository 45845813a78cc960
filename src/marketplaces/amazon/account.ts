import { z } from 'zod';

export const Account = z.object({
  /** From the application's Login with Amazon credentials. */
  clientId: z.string().min(1),
  clientSecret: z.string().min(1).meta({ secret: true }),
  /** The seller gets it by authorising the application. */
  refreshToken: z.string().min(1).meta({ secret: true }),
  /** Amazon's ids of the marketplaces to import from; absent: all that the seller sells in. */
  marketplaceIds: z.array(z.string().min(1)).min(1).max(50).optional(),
  /** Our carrier id to the carrier code that Seller Central lists. */
  carrierNames: z.record(z.string(), z.string().min(1)).optional(),
  /** Address of the seller's region: `-eu`, `-na` or `-fe`. */
  baseUrl: z.url({ protocol: /^https?$/ }).default('https://sellingpartnerapi-eu.amazon.com'),
  tokenUrl: z.url({ protocol: /^https?$/ }).default('https://api.amazon.com/auth/o2/token'),
});
export type Account = z.infer<typeof Account>;
