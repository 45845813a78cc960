import { z } from 'zod';

export const Account = z.object({
  /** Address of the site, with its folder when it lives in one. */
  url: z.url({ protocol: /^https?$/ }),
  consumerKey: z.string().min(1).meta({ secret: true }),
  consumerSecret: z.string().min(1).meta({ secret: true }),
  /** For HTTPS servers that drop the Authorization header: the keys travel in the address instead. */
  queryAuth: z.boolean().optional(),
  /** Our carrier id to the shop's name or key of the carrier. */
  carrierNames: z.record(z.string(), z.string().min(1)).optional(),
  /** The shop signs its webhooks with it. Absent: they are not listened to. */
  webhookSecret: z.string().min(8).meta({ secret: true }).optional(),
  /** Order statuses to import; all of them when absent. */
  statuses: z.array(z.string().min(1)).min(1).optional(),
});
export type Account = z.infer<typeof Account>;
