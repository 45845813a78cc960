import { z } from 'zod';
import type { MarketplaceContext } from '../adapter.ts';

export const Account = z
  .object({
    /** Address of the shop, with its folder when it lives in one. */
    url: z.url({ protocol: /^https?$/ }),
    /** The store view through which the interface is spoken to; orders of every store are listed through all of them. */
    storeCode: z.string().regex(/^\w+$/, 'must be letters, digits and _').default('all'),
    /** The four credentials of an integration. The access token alone is sent as a bearer token, with the others it is signed with. */
    accessToken: z.string().min(1).meta({ secret: true }),
    accessTokenSecret: z.string().min(1).meta({ secret: true }).optional(),
    consumerKey: z.string().min(1).optional(),
    consumerSecret: z.string().min(1).meta({ secret: true }).optional(),
    /** Our carrier id to the code of the shop's carrier. */
    carrierNames: z.record(z.string(), z.string().min(1)).optional(),
    /** Codes of payment methods whose money the courier collects; absent: Magento's own. */
    cashOnDeliveryMethods: z.array(z.string().min(1)).optional(),
    /** The inventory source that the pieces leave from, in a shop with several. */
    sourceCode: z.string().min(1).optional(),
  })
  .refine(
    ({ accessTokenSecret, consumerKey, consumerSecret }) => {
      const given = [accessTokenSecret, consumerKey, consumerSecret].filter(Boolean);
      return given.length === 0 || given.length === 3;
    },
    { path: ['consumerKey'], error: 'the consumer key, its secret and the secret of the access token belong together' },
  );
export type Account = z.infer<typeof Account>;

export type ShopContext = MarketplaceContext<Account>;
