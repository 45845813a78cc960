import { z } from 'zod';

export const Account = z.object({
  /** The operator's host: every operator has its own. */
  baseUrl: z.url({ protocol: /^https?$/ }),
  /** Key of a user of the shop, from its settings in the operator's back office. */
  apiKey: z.string().min(1).meta({ secret: true }),
  /** For users of several shops; absent: the user's default shop. */
  shopId: z.string().regex(/^\d+$/, 'must be digits in quotes').optional(),
  /** Say yes to every order that waits for the shop's decision. */
  acceptOrders: z.boolean().default(false),
  /** The operator lets an order leave in several shipments. */
  multipleShipments: z.boolean().default(false),
  /** Mirakl lets external partners ask every 15 minutes, a shop's own integration every minute. */
  externalPartner: z.boolean().default(false),
  /** Our carrier id to the operator's carrier code. */
  carrierNames: z.record(z.string(), z.string().min(1)).optional(),
});
export type Account = z.infer<typeof Account>;
