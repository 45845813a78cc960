import { z } from 'zod';

export const Account = z.object({
  /** App ID and Cert ID of the application's key set. */
  clientId: z.string().min(1),
  clientSecret: z.string().min(1).meta({ secret: true }),
  /** The seller's consent brings it, with the scope `sell.fulfillment`. */
  refreshToken: z.string().min(1).meta({ secret: true }),
  /** Our carrier id to a code of eBay's ShippingCarrierCodeType. */
  carrierNames: z.record(z.string(), z.string().min(1)).optional(),
  /** Given to eBay with the address of our webhook. Absent: notifications are not listened to. */
  verificationToken: z
    .string()
    .regex(/^[\w-]{32,80}$/, 'must be 32 to 80 letters, digits, - and _')
    .meta({ secret: true })
    .optional(),
  baseUrl: z.url({ protocol: /^https?$/ }).default('https://api.ebay.com'),
  tokenUrl: z.url({ protocol: /^https?$/ }).default('https://api.ebay.com/identity/v1/oauth2/token'),
});
export type Account = z.infer<typeof Account>;
