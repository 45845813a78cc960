import { z } from 'zod';

const StateId = z.int().positive();

export const Account = z.object({
  /** Address of the shop, with its folder when it lives in one; `/api/` is added. */
  url: z.url({ protocol: /^https?$/ }),
  /** Webservice key: the user of Basic, with an empty password. */
  key: z.string().length(32).meta({ secret: true }),
  /** The time zone in which the shop writes its dates, which do not say it. */
  timeZone: z
    .string()
    .refine((name) => isTimeZone(name))
    .default('Europe/Rome'),
  /** One shop of a multishop. */
  shopId: z.int().positive().optional(),
  /** Order states that are ready to ship; absent: those that are paid and not shipped. */
  openStates: z.array(StateId).min(1).optional(),
  /** The state that an order gets when it is shipped; absent: the one that mails the template `shipped`. */
  shippedState: StateId.optional(),
  /** Payment modules whose money the courier collects. */
  cashOnDeliveryModules: z.array(z.string().min(1)).default(['ps_cashondelivery']),
});
export type Account = z.infer<typeof Account>;

function isTimeZone(name: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }));
  } catch {
    return false;
  }
}
