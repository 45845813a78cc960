import { z } from 'zod';
import type { MarketplaceContext } from '../adapter.ts';

export const Account = z
  .object({
    /** The permanent name of the shop, not the domain that customers see. */
    shop: z
      .string()
      .regex(
        /^[a-z0-9][a-z0-9-]*\.myshopify\.com$/,
        'must be the permanent name of the shop, such as my-shop.myshopify.com',
      ),
    /** Where the interface is, and its login; absent: at the shop's own name. */
    baseUrl: z.url({ protocol: /^https?$/ }).optional(),
    /** Token of an app made in the shop's settings; it does not expire. */
    accessToken: z.string().min(1).meta({ secret: true }).optional(),
    /** Client id of an app of the shop's own organisation, which asks for an access token every day. */
    clientId: z.string().min(1).optional(),
    /** Signs the webhooks as well: without it they are not listened to. */
    clientSecret: z.string().min(1).meta({ secret: true }).optional(),
    /** Whether the shop writes to the customer when something was shipped; true when absent. */
    notifyCustomer: z.boolean().optional(),
    /** Our carrier id to the name that the customer reads. */
    carrierNames: z.record(z.string(), z.string().min(1)).optional(),
    /** Names of payment methods whose money the courier collects; absent: Shopify's own. */
    cashOnDeliveryNames: z.array(z.string().min(1)).optional(),
  })
  .refine(({ accessToken, clientId, clientSecret }) => accessToken || (clientId && clientSecret), {
    path: ['accessToken'],
    error: 'an access token, or a client id with its secret, is needed',
  });
export type Account = z.infer<typeof Account>;

export type ShopContext = MarketplaceContext<Account>;

export function baseUrlOf({ shop, baseUrl }: Account): string {
  return (baseUrl ?? `https://${shop}`).replace(/\/+$/, '');
}
