/** The `_shipment_provider` key of a carrier that the core does not know: its name is then not stored. */
export const CUSTOM_PROVIDER = 'other';

/**
 * Our carrier id to the core's provider key. Only keys that are confirmed by the official sources are listed (`dhl` from
 * its provider class, `ups` from the interface's own documentation, read 2026-11-21); other carriers are sent as `other`
 * unless the account names their key.
 */
export const CORE_PROVIDERS: Readonly<Record<string, string>> = {
  dhl: 'dhl',
  'dhl-express': 'dhl',
  ups: 'ups',
};
