import { z } from 'zod';
import { IntegrationError } from '../../lib/errors.ts';
import { findNewestOrderId, readNamespaces, type ShopContext } from './client.ts';
import { coreFulfillments, listFulfillments } from './core-fulfillments.ts';
import type { Mechanism } from './mechanism.ts';
import { orderNote } from './order-note.ts';
import { refuse } from './refusal.ts';
import { advancedShipmentTracking, shipmentTracking } from './shipment-trackings.ts';

const MECHANISMS = {
  core: coreFulfillments,
  ast: advancedShipmentTracking,
  'shipment-tracking': shipmentTracking,
  note: orderNote,
} as const satisfies Record<string, Mechanism>;

const Plugin = z.enum(['ast', 'shipment-tracking', 'note']);
type Plugin = z.infer<typeof Plugin>;

/** `undecided`: the shop had no order to ask for fulfilments; the first confirmation asks, and `plugin` is what else there is. */
const Detected = z.object({ mechanism: z.enum(['core', 'undecided', ...Plugin.options]), plugin: Plugin });
type Detected = z.infer<typeof Detected>;

/** How this shop wants to hear of shipments. */
export async function detect(context: ShopContext): Promise<Detected> {
  const plugin = await detectPlugin(context);
  const orderId = await findNewestOrderId(context);
  if (orderId === null) return { mechanism: 'undecided', plugin };
  return { mechanism: (await hasFulfillments(context, orderId)) ? 'core' : plugin, plugin };
}

/** The mechanism that was detected, or else a detection by means of the order at hand. */
export async function chooseMechanism(context: ShopContext, detected: unknown, orderId: number): Promise<Mechanism> {
  const known = Detected.safeParse(detected).data;
  if (known && known.mechanism !== 'undecided') return MECHANISMS[known.mechanism];
  const plugin = known?.plugin ?? (await detectPlugin(context));
  return (await hasFulfillments(context, orderId)) ? MECHANISMS.core : MECHANISMS[plugin];
}

/** AST also announces the official extension's namespace, so it is looked for first. */
async function detectPlugin(context: ShopContext): Promise<Plugin> {
  const namespaces = await readNamespaces(context);
  if (!namespaces.includes('wc/v3'))
    throw refuse('feature_disabled', 'The site does not offer the WooCommerce interface v3');
  if (namespaces.includes('wc-ast/v3')) return 'ast';
  return namespaces.includes('wc-shipment-tracking/v3') ? 'shipment-tracking' : 'note';
}

async function hasFulfillments(context: ShopContext, orderId: number): Promise<boolean> {
  try {
    await listFulfillments(context, orderId);
    return true;
  } catch (error) {
    if (error instanceof IntegrationError && error.code === 'feature_disabled') return false;
    throw error;
  }
}
