/** `ok`: delivered there; `ambiguous`: several candidates; `not_found`: none is exact. */
export const ADDRESS_CHECK_STATUSES = ['ok', 'ambiguous', 'not_found'] as const;
export type AddressCheckStatus = (typeof ADDRESS_CHECK_STATUSES)[number];
