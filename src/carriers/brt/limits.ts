/** Lengths of createData, from a public client as read on 2026-11-21. */
export const MAX_PARCELS = 30;
/** weightKG has four digits and one decimal, for the whole shipment. */
export const MAX_GRAMS = 9_999_900;
export const MAX_ADDRESS = 35;
/** On networks that BRT has enabled for it. */
export const MAX_ADDRESS_ABROAD = 105;
export const MIN_ADDRESS = 6;
export const MAX_COMPANY = 70;
export const MAX_CONTACT = 35;
export const MAX_CITY = 35;
export const MAX_ZIP = 9;
export const MAX_NOTES = 70;
export const MAX_EMAIL = 70;
export const MAX_PHONE = 16;
export const MAX_CONTENTS = 15;
export const MAX_GENERIC_REFERENCE = 35;
/** Amounts have five digits and two decimals. */
export const MAX_CENTS = 9_999_999;
/** The reference and a mark of four characters share alphanumericSenderReference, which has fifteen. */
export const MAX_REFERENCE = 11;
