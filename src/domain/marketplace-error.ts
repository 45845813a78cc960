/**
 * Reasons why a marketplace could not be told of a shipment. `ErrorType` is a closed list, each with the one
 * `ErrorSuggestion` that a shop owner reads.
 */
export const MARKETPLACE_ERRORS = {
  auth_expired: 'The access granted by the shop has expired: connect the shop again.',
  auth_invalid: 'The shop refused the credentials: create new ones in the shop and store them in the connection.',
  permission_missing: 'The credentials may only read: give them the permission to write orders in the shop.',
  order_not_found: 'The order no longer exists in the shop, or belongs to another one: check the order number there.',
  order_not_shippable: 'The order is on hold, unpaid or cancelled in the shop: settle that there, then send again.',
  already_shipped: 'The shop already has another shipment for this order: check which tracking number is right.',
  told_another_number:
    'The shop keeps a tracking number that no longer holds, and takes no correction: correct the number in the shop.',
  line_not_found: 'A line of the order is no longer in the shop: import the order again, then send again.',
  quantity_exceeded: 'More pieces than the shop still expects: check what was already shipped there.',
  carrier_invalid: 'The shop does not know this carrier: choose its name for the carrier in the connection.',
  tracking_invalid: 'The shop refused the tracking number: check it, then send again.',
  validation: 'The shop refused the data: read its message, correct the order, then send again.',
  rate_limited: 'The shop asked to slow down: send again in a few minutes.',
  platform_unavailable: 'The shop is not working at the moment: send again when it is.',
  feature_disabled: 'The shop has switched this function off: switch it on there, then send again.',
  network: 'The shop could not be reached: check its address and that it is online.',
  configuration:
    'The order or the connection is not set up for this: link the order to a connected marketplace and ship it first.',
  unknown: 'What happened is not known yet: check the order in the shop before sending again.',
} as const;

export type MarketplaceErrorType = keyof typeof MARKETPLACE_ERRORS;
