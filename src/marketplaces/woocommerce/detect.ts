import { z } from 'zod';
import { IntegrationError } from '../../lib/errors.ts';
import { findNewestOrderId, readNamespaces, type ShopContext } from './client.ts';
import { coreFulfillments, listFulfillments } from './core-fulfillments.ts';
import type { Look, Mechanism, Shipment } from './mechanism.ts';
import { orderNote } from './order-note.ts';
import { refuse } from './refusals.ts';
import type { Order } from './schema.ts';
import { advancedShipmentTracking, shipmentTracking } from './shipment-trackings.ts';

const MECHANISMS = {
  core: coreFulfillments,
  ast: advancedShipmentTracking,
  'shipment-tracking': shipmentTracking,
  note: orderNote,
} as const satisfies Record<string, Mechanism>;
type MechanismName = keyof typeof MECHANISMS;

const Plugin = z.enum(['ast', 'shipment-tracking', 'note']);
type Plugin = z.infer<typeof Plugin>;

/** `undecided`: the shop had no order to ask for fulfilments; the first confirmation asks, and `plugin` is what else there is. */
const Detected = z.object({ mechanism: z.enum(['core', 'undecided', ...Plugin.options]), plugin: Plugin });
type Detected = z.infer<typeof Detected>;

/** Detects the way in which this shop keeps shipments. */
export async function detect(context: ShopContext): Promise<Detected> {
  const plugin = await detectPlugin(context);
  const orderId = await findNewestOrderId(context);
  if (orderId === null) return { mechanism: 'undecided', plugin };
  return { mechanism: (await hasFulfillments(context, orderId)) ? 'core' : plugin, plugin };
}

/** Tells whether the shop is known to keep the lines of each shipment. */
export function keepsLines(detected: unknown): boolean {
  return Detected.safeParse(detected).data?.mechanism === 'core';
}

export interface LookByMechanism {
  mechanism: Mechanism;
  look: Look;
  /** True when the shop works in another way than was detected. */
  detectAgain: boolean;
}

/**
 * Looks by the mechanism that was detected, or else by the one that the order at hand tells. A shop owner may switch fulfilments or
 * a plugin on and off at any time: then the shop is asked again.
 */
export async function lookByMechanism(
  context: ShopContext,
  detected: unknown,
  shipment: Shipment,
): Promise<LookByMechanism> {
  const known = Detected.safeParse(detected).data;
  const remembered = known && known.mechanism !== 'undecided' ? known.mechanism : null;
  const lookBy = async (name: MechanismName): Promise<LookByMechanism> => ({
    mechanism: MECHANISMS[name],
    look: await MECHANISMS[name].look(context, shipment),
    detectAgain: remembered !== null && name !== remembered,
  });
  if (remembered === null) return lookBy(await chooseMechanism(context, shipment.order, known?.plugin));
  if (remembered !== 'core' && showsFulfillments(shipment.order)) {
    return lookBy((await hasFulfillments(context, shipment.order.id)) ? 'core' : remembered);
  }
  try {
    return await lookBy(remembered);
  } catch (error) {
    if (!isSwitchedOff(error)) throw error;
    return lookBy(await chooseMechanism(context, shipment.order));
  }
}

async function chooseMechanism(context: ShopContext, order: Order, known?: Plugin): Promise<MechanismName> {
  const plugin = known ?? (await detectPlugin(context));
  return (await hasFulfillments(context, order.id)) ? 'core' : plugin;
}

/** Core fulfilments leave these on an order; recorded from WooCommerce 11.0.1, 2026-11-22. */
const FULFILLMENT_META = /^_(fulfillment_status|auto_fulfill_processed)$/;
const Meta = z.object({ key: z.string() });

function showsFulfillments({ meta_data }: Order): boolean {
  return (meta_data ?? []).some((raw) => FULFILLMENT_META.test(Meta.safeParse(raw).data?.key ?? ''));
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
    if (isSwitchedOff(error)) return false;
    throw error;
  }
}

function isSwitchedOff(error: unknown): boolean {
  return error instanceof IntegrationError && error.code === 'feature_disabled';
}
